import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { ClientRoots } from '../../core/folders/client-roots.ts';
import { folderOf } from '../../core/providers/caller-folder.ts';
import type { ProviderCall } from '../../core/providers/provider.ts';

/** Clients that do not say where they work. */
const NOWHERE = '';

/** Returns the folder that a call's client works in, spelt as the system does: the same for all who work there. */
export async function folderKey(call: ProviderCall, roots: ClientRoots, signal: AbortSignal): Promise<string> {
  const folder = await folderOf(call, roots, signal);
  if (folder === undefined) return NOWHERE;
  try {
    return await realpath(folder);
  } catch {
    return path.resolve(folder); // of another machine, or gone
  }
}
