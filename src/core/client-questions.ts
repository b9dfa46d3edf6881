import { fileURLToPath } from 'node:url';
import { jsonBytes, toBuffer } from '../wire/bytes.ts';
import { Frame } from '../wire/frame.ts';
import { valueAt } from '../wire/lens.ts';
import { type RequestMessage, readMessage } from '../wire/message.ts';
import { openReply, type Reply } from '../wire/reply.ts';
import { GatewayError } from './errors.ts';
import { orAfter } from './or-after.ts';
import type { Caller, WithdrawAsk } from './provider.ts';

/** A client that declares roots and does not tell them holds up nobody for longer. */
const ROOTS_MS = 3_000;

/** What a client says it can do. */
export function capabilitiesOf({ client }: Caller): Readonly<Record<string, unknown>> {
  return valueAt(toBuffer(client.capabilities)) as Record<string, unknown>;
}

/** Asks the client of a call. @throws GatewayError when it cannot be asked, refuses to answer, or does not want the call any more. */
export function ask(caller: Caller, method: string, params: object, signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let withdraw: WithdrawAsk | undefined;
    const onAbort = () => {
      withdraw?.('the call was cancelled');
      reject(new GatewayError('CALL_CANCELLED', 'The call was cancelled'));
    };
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    const settled = () => signal.removeEventListener('abort', onAbort);
    withdraw = caller.ask({
      message: question(method, params),
      isOwn: true,
      onAnswer: (answer) => {
        settled();
        if (answer.outcome === 'result') resolve(bodyOf(answer));
        else reject(new GatewayError('INPUT_REFUSED', `The client answered ${method} with an error`));
      },
      onFailure: (error) => {
        settled();
        reject(error);
      },
      onProgress: () => undefined,
    });
  });
}

/** Returns the folders among a client's roots, in its order; none where it has none, or does not tell in time. */
export async function rootFolders(caller: Caller, signal: AbortSignal): Promise<readonly string[]> {
  if (capabilitiesOf(caller).roots === undefined) return [];
  // A modern client calls again with its answer: how long that takes is no matter of this call.
  const patience = caller.client.era === 'legacy' ? orAfter(signal, ROOTS_MS) : signal;
  try {
    const { roots } = (await ask(caller, 'roots/list', {}, patience)) as { roots?: unknown };
    return Array.isArray(roots) ? roots.map(folderOfRoot).filter((folder) => folder !== undefined) : [];
  } catch (error) {
    if (error instanceof GatewayError) return [];
    throw error;
  }
}

/** Returns the folder that an entry of `roots` names, where it is one of this machine. */
export function folderOfRoot(root: unknown): string | undefined {
  const { uri } = (root ?? {}) as { uri?: unknown };
  if (typeof uri !== 'string' || !uri.startsWith('file:')) return undefined;
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined; // of another host, or with an encoded slash
  }
}

function question(method: string, params: object): RequestMessage {
  const json = jsonBytes({ jsonrpc: '2.0', id: 0, method, params });
  return readMessage(Frame.of(toBuffer(json))) as RequestMessage;
}

function bodyOf(answer: Reply): unknown {
  const { frame, body } = openReply(answer);
  return valueAt(frame.text, body);
}
