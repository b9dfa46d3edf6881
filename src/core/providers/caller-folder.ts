import { lastMember, valueAt } from '../../wire/lens.ts';
import type { ClientRoots } from '../folders/client-roots.ts';
import { admitted } from '../folders/folder-rule.ts';
import { asFolder, FOLDER_META_KEYS } from './client-folder.ts';
import type { ProviderCall } from './provider.ts';

/**
 * Returns the folder that a client says it works in, whether it may use it or not: to be compared with others, never to be
 * opened. What was said with this very call counts most, where the program was started least: that may be anywhere.
 */
export async function folderOf(
  call: ProviderCall,
  roots: ClientRoots | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  return (await foldersOf(call, roots, signal))[0];
}

/**
 * Returns the folder that a client works in, as far as it may: of several roots the first one that it may use.
 * @throws GatewayError if it names only folders that it may not use
 */
export async function workFolderOf(
  call: ProviderCall,
  roots: ClientRoots | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { folderRule } = call.caller.client;
  const folders = await foldersOf(call, roots, signal);
  if (folders.length > 1 && folderRule !== undefined) {
    for (const folder of folders) {
      const real = await folderRule.admit(folder);
      if (real !== undefined) return real;
    }
  }
  return folders[0] === undefined ? undefined : admitted(folders[0], folderRule);
}

async function foldersOf(
  call: ProviderCall,
  roots: ClientRoots | undefined,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { client } = call.caller;
  const told = folderInMeta(call) ?? (client.folder?.source === 'request' ? client.folder.path : undefined);
  if (told !== undefined) return [told];
  const folders = (await roots?.of(call.caller, signal)) ?? [];
  if (folders.length > 0) return folders;
  return client.folder === undefined ? [] : [client.folder.path];
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
