import { fileURLToPath } from 'node:url';
import { jsonBytes, toBuffer } from '../../wire/bytes.ts';
import { Frame } from '../../wire/frame.ts';
import { JsonTextError } from '../../wire/json-error.ts';
import { valueAt } from '../../wire/lens.ts';
import { type RequestMessage, readMessage } from '../../wire/message.ts';
import { openReply, type Reply } from '../../wire/reply.ts';
import { GatewayError } from '../errors.ts';
import { boundedRoots } from '../folders/bounded-roots.ts';
import { asObject } from '../json/as-object.ts';
import { refusalWords } from '../refusals/refusal-words.ts';
import type { Caller, WithdrawAsk } from './provider.ts';

/** Returns the capabilities that a client declares. */
export function capabilitiesOf({ client }: Caller): Readonly<Record<string, unknown>> {
  return valueAt(toBuffer(client.capabilities)) as Record<string, unknown>;
}

/** The calls that can be asked for roots: any call of the client. */
export type RootsAsker = Pick<Caller, 'sessionId' | 'ask'>;

/**
 * Asks a client. Resolves to the result of its answer.
 * @throws GatewayError when the client cannot be asked, refuses, answers with no valid JSON, or `signal` is aborted
 */
export function ask(
  caller: Pick<Caller, 'ask'>,
  method: string,
  params: object,
  signal: AbortSignal,
): Promise<unknown> {
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
        try {
          resolve(resultOf(method, answer));
        } catch (error) {
          reject(error as Error);
        }
      },
      onFailure: (error) => {
        settled();
        reject(error);
      },
      onProgress: () => undefined,
    });
  });
}

/** Returns whether a client says that it has roots. */
export function declaresRoots(caller: Caller): boolean {
  return capabilitiesOf(caller).roots !== undefined;
}

/**
 * Asks a client for its roots. Resolves to the folders among them, in the client's order. `onLeftOut` gets the number of
 * roots that are not used because the client has too many, or because they are too long.
 * @throws GatewayError as `ask` does
 */
export async function askForRoots(
  caller: RootsAsker,
  signal: AbortSignal,
  onLeftOut: (count: number) => void,
): Promise<readonly string[]> {
  const { roots, leftOut } = boundedRoots(asObject(await ask(caller, 'roots/list', {}, signal)).roots);
  if (leftOut > 0) onLeftOut(leftOut);
  return roots.map(folderOfRoot).filter((folder) => folder !== undefined);
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

/**
 * Returns the value of a client's result. Only the beginning of a long string was checked when the answer was read.
 * @throws GatewayError if the answer is an error, or no valid JSON
 */
function resultOf(method: string, answer: Reply): unknown {
  if (answer.outcome === 'error')
    throw new GatewayError('INPUT_REFUSED', `The client answered ${method} with an error: ${refusalWords(answer)}`);
  const { frame, body } = openReply(answer);
  try {
    return valueAt(frame.text, body);
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    const text = `The client's answer to ${method} is not valid JSON: ${error.message}`;
    throw new GatewayError('INVALID_REQUEST', text, { cause: error });
  }
}
