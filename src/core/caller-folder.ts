import { lastMember, valueAt } from '../wire/lens.ts';
import { asFolder, FOLDER_META_KEYS } from './client-folder.ts';
import { firstRoot } from './client-questions.ts';
import type { Caller, ProviderCall } from './provider.ts';

/** The folders of clients by what they say are their roots: each is asked once. */
export class ClientRoots {
  readonly #folders = new Map<string, Promise<string | undefined>>();

  of(caller: Caller, signal: AbortSignal): Promise<string | undefined> {
    // Modern requests tell everything anew, and over HTTP nothing says which of them are of one client.
    if (caller.client.era === 'modern') return firstRoot(caller, signal);
    let folder = this.#folders.get(caller.sessionId);
    if (folder === undefined) {
      folder = firstRoot(caller, signal);
      this.#folders.set(caller.sessionId, folder);
    }
    return folder;
  }

  /** The client's roots have changed, or it has gone. */
  forget(sessionId: string): void {
    this.#folders.delete(sessionId);
  }
}

/** What was said with this very call counts most, where the program was started least: that may be anywhere. */
export async function folderOf(
  call: ProviderCall,
  roots: ClientRoots | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { client } = call.caller;
  const told = folderInMeta(call);
  if (told !== undefined) return told;
  if (client.folder?.source === 'request') return client.folder.path;
  return (await roots?.of(call.caller, signal)) ?? client.folder?.path;
}

function folderInMeta({ text }: ProviderCall): string | undefined {
  const meta = lastMember(text.params, '_meta');
  if (meta === undefined) return undefined;
  const value = valueAt(text.message.frame.text, meta) as Readonly<Record<string, unknown>> | null;
  for (const key of FOLDER_META_KEYS) {
    const folder = asFolder(value?.[key]);
    if (folder !== undefined) return folder;
  }
  return undefined;
}
