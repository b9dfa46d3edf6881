import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { WorkspaceSettings } from '../../../core/settings/workspace-settings.ts';
import type { ChangeRequest, Changes } from '../../../workspace/changes.ts';
import type { Guard } from '../../../workspace/protection/guard.ts';
import { type Sandbox, sandboxOf } from '../../../workspace/sandbox.ts';
import type { CallContext, ToolAnnotations } from '../../define.ts';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const RUN = randomUUID();

/** The services that the tools share. */
export interface Toolbox {
  readonly workspace: WorkspaceSettings;
  readonly changes: Changes;
  readonly guard: () => Guard;
}

export const READS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
export const ADDS: ToolAnnotations = { ...READS, readOnlyHint: false };
export const CHANGES: ToolAnnotations = { ...ADDS, destructiveHint: true };

export const pathArgument = (words: string) => z.string().describe(`${words}, relative to the workspace`);

export function sandboxFor({ workspace, guard }: Toolbox, context: CallContext): Promise<Sandbox> {
  return sandboxOf(context, workspace, guard());
}

export async function changeBy(
  toolbox: Toolbox,
  context: CallContext,
  { tool, path }: { readonly tool: string; readonly path: string },
): Promise<ChangeRequest> {
  const origin = { session: sessionOf(context), client: context.client.name, tool };
  return { sandbox: await sandboxFor(toolbox, context), path, origin, signal: context.signal };
}

/**
 * Returns the id of the session. Without sessions, ids identify the client and never change: then the session is
 * everything that a client of that name does while this gateway runs, so that an undo does not remove the work of days.
 */
export function sessionOf({ client: { id, name = '' } }: CallContext): string {
  if (UUID.test(id)) return id;
  return createHash('sha256')
    .update(JSON.stringify([RUN, id, name]))
    .digest('hex')
    .slice(0, 32);
}
