import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { WorkspaceSettings } from '../../../core/workspace-settings.ts';
import type { ChangeRequest, Changes } from '../../../workspace/changes.ts';
import { type Sandbox, sandboxOf } from '../../../workspace/sandbox.ts';
import type { CallContext, ToolAnnotations } from '../../define.ts';

/** What the tools work with. */
export interface Desk {
  readonly workspace: WorkspaceSettings;
  readonly changes: Changes;
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

export function sandboxFor({ workspace }: Desk, context: CallContext): Promise<Sandbox> {
  return sandboxOf(context, workspace);
}

export async function changeBy(
  desk: Desk,
  context: CallContext,
  { tool, path }: { readonly tool: string; readonly path: string },
): Promise<ChangeRequest> {
  const origin = { session: sessionOf(context), client: context.client.name, tool };
  return { sandbox: await sandboxFor(desk, context), path, origin };
}

/** Ids of clients without a session have in them who they are. */
export function sessionOf({ client: { id } }: CallContext): string {
  return /^[\w.-]{1,64}$/.test(id) ? id : createHash('sha256').update(id).digest('hex').slice(0, 32);
}
