import { z } from 'zod';
import { GatewayError } from '../../../core/errors.ts';
import type { WorkspaceSettings } from '../../../core/settings/workspace-settings.ts';
import type { DocumentReader } from '../../../knowledge/documents/document-reader.ts';
import { CollectionError, type PassageStore } from '../../../knowledge/passages/passage-store.ts';
import type { Log } from '../../../telemetry/log.ts';
import type { Guard } from '../../../workspace/protection/guard.ts';
import type { CallingClient } from '../../define.ts';
import { requireProject } from '../../project-access.ts';
import { collectionName, type RagOptions } from '../options.ts';

/** The parts that the tools of the workflow have in common. */
export interface Toolbox {
  readonly store: PassageStore;
  readonly reader: DocumentReader;
  readonly options: RagOptions;
  readonly workspace: WorkspaceSettings;
  readonly guard: () => Guard;
  readonly log: Log;
}

/** Returns the schema of the argument that names a collection. */
export function collectionArgument({ options }: Toolbox) {
  return collectionName
    .or(z.literal(''))
    .transform((name) => name || options.collection)
    .optional()
    .describe(`Name of the collection; ${options.collection} if missing`);
}

/**
 * Collections name no project, so a client that is limited to projects may not use them.
 * @throws GatewayError when this client is one
 */
export function requireCollections(client: CallingClient): void {
  requireProject(client, undefined, 'collections of documents');
}

/** Runs the work of a tool. @throws GatewayError whose message begins with `what`, for everything that the model can act on */
export async function orFailed<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CollectionError)) throw error;
    throw knowledgeFailure(`${what}: ${error.message}`, error);
  }
}

/** Returns an error that a model or its user can act on. */
export function knowledgeFailure(message: string, cause?: unknown): GatewayError {
  return new GatewayError('KNOWLEDGE_FAILED', message, cause === undefined ? {} : { cause });
}
