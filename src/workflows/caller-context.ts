import { asFolder, FOLDER_META_KEYS } from '../core/client-folder.ts';
import { GatewayError } from '../core/errors.ts';
import type { Caller, ProviderCall } from '../core/provider.ts';
import { toBuffer } from '../wire/bytes.ts';
import { lastMember, valueAt } from '../wire/lens.ts';
import type { CallContext, ElicitationAnswer } from './define.ts';
import { ask, capabilitiesOf, firstRoot } from './questions.ts';

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

/** A call as the code of a workflow sees it. */
export function contextOf(call: ProviderCall, roots: ClientRoots, signal: AbortSignal): CallContext {
  const { caller } = call;
  return {
    client: { era: caller.client.era, name: nameOf(caller), scope: caller.client.scope },
    signal,
    folder: ({ mayAsk } = { mayAsk: true }) => folderOf(call, mayAsk ? roots : undefined, signal),
    get canElicit() {
      return canElicit(caller);
    },
    async elicit(form) {
      if (!canElicit(caller)) throw new GatewayError('CAPABILITY_MISSING', 'The client does not support elicitation');
      const { action, content } = (await ask(caller, 'elicitation/create', form, signal)) as Partial<ElicitationAnswer>;
      return { action: action === 'accept' || action === 'decline' ? action : 'cancel', content: content ?? {} };
    },
  };
}

/** What was said with this very call counts most, where the program was started least: that may be anywhere. */
async function folderOf(
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

function nameOf({ client }: Caller): string | undefined {
  if (client.clientInfo === undefined) return undefined;
  const { name } = valueAt(toBuffer(client.clientInfo)) as { name?: unknown };
  return typeof name === 'string' ? name : undefined;
}

function canElicit(caller: Caller): boolean {
  const { elicitation } = capabilitiesOf(caller) as { elicitation?: { form?: unknown; url?: unknown } };
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}
