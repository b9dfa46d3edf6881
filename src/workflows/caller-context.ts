import { GatewayError } from '../core/errors.ts';
import type { ClientRoots } from '../core/folders/client-roots.ts';
import { asObject } from '../core/json/as-object.ts';
import { workFolderOf } from '../core/providers/caller-folder.ts';
import { ask, capabilitiesOf } from '../core/providers/client-questions.ts';
import type { Caller, ProviderCall } from '../core/providers/provider.ts';
import { jsonBytes, toBuffer } from '../wire/bytes.ts';
import { Frame } from '../wire/frame.ts';
import { lastMember, membersOf, valueAt } from '../wire/lens.ts';
import { samplingOf } from './client-sampling.ts';
import type { CallContext, CallingClient, ProgressReport } from './define.ts';

/** Returns a call as the code of a workflow sees it. */
export function contextOf(call: ProviderCall, roots: ClientRoots, signal: AbortSignal): CallContext {
  const { caller } = call;
  return {
    client: callingClient(caller),
    signal,
    async folder({ mayAsk } = { mayAsk: true }) {
      const folder = await workFolderOf(call, mayAsk ? roots : undefined, signal);
      signal.throwIfAborted();
      return folder;
    },
    progress(report) {
      if (!signal.aborted) sendProgress(call, report);
    },
    sampling: samplingOf(caller, signal),
    get canElicit() {
      return canElicit(caller);
    },
    async elicit(form) {
      if (!canElicit(caller)) throw new GatewayError('CAPABILITY_MISSING', 'The client does not support elicitation');
      const { action, content } = asObject(await ask(caller, 'elicitation/create', form, signal));
      signal.throwIfAborted();
      return { action: action === 'accept' || action === 'decline' ? action : 'cancel', content: asObject(content) };
    },
  };
}

function sendProgress({ caller, text }: ProviderCall, { progress, total, message }: ProgressReport): void {
  if (text.progressToken === undefined) return;
  // The token is replaced by the client's own.
  const params = { progressToken: 0, progress, total, message };
  const frame = Frame.of(toBuffer(jsonBytes({ jsonrpc: '2.0', method: 'notifications/progress', params })));
  const span = lastMember(membersOf(frame.text, lastMember(frame.outline.members, 'params')), 'progressToken')!;
  caller.onProgress(frame, span);
}

function callingClient(caller: Caller): CallingClient {
  const { era, clientId, isSessionless, scope, folderRule, depth } = caller.client;
  const principal = caller.client.principal || undefined;
  // Modern clients of one endpoint have an id in common; who they have proved to be tells them apart.
  const id = era === 'modern' && principal !== undefined ? `${clientId} ${principal}` : clientId;
  const hasSession = era === 'legacy' && isSessionless !== true;
  return { era, id, hasSession, principal, name: nameOf(caller), depth, scope, folderRule };
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
