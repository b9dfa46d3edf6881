import { GatewayError } from '../../../core/errors.ts';
import type { CallContext } from '../../define.ts';
import type { Bridge } from '../bridge/bridge.ts';
import type { OutgoingMessage } from '../bridge/messages.ts';
import { type Answer, answers, readAnswer } from './backend-answer.ts';

/** Members that say how far a result can be relied on. */
export interface Remarks {
  readonly pending?: boolean;
  readonly message?: string;
  readonly bridgeOnline?: boolean;
  readonly sources?: Readonly<Record<string, string>>;
}

/** A question that the backend answers, or the gateway by itself. */
export interface Question<Data, Result> {
  readonly send: OutgoingMessage;
  readonly answer: Answer<Data>;
  /** Makes a result of the backend's data. */
  readonly toResult: (data: Data) => Result | Promise<Result>;
  /** The result where the backend has not answered in time. */
  readonly placeholder: () => Result | Promise<Result>;
  /** The result from the gateway's own sources. */
  readonly own: () => Promise<Result>;
  /** Names of the members that come from own sources, and these sources. */
  readonly ownSources: Readonly<Record<string, string>>;
}

/** Errors of own sources that only say that they have nothing to tell. */
const KNOWS_NOTHING: ReadonlySet<string> = new Set([
  'IDE_SESSION_NOT_FOUND',
  'BUILD_NOT_FOUND',
  'INVALID_PARAMS',
  'OUTSIDE_WORKSPACE',
]);

/**
 * Returns what the backend answers; a placeholder where it does not answer in time; what the gateway knows by itself where the
 * backend is not connected, or there is none.
 * @throws GatewayError `IDE_FAILED` when the backend refuses or answers with something malformed; what own sources throw
 */
export async function askOrKnow<Data, Result extends object>(
  bridge: Bridge | undefined,
  question: Question<Data, Result>,
  { signal }: Pick<CallContext, 'signal'>,
): Promise<Result & Remarks> {
  if (bridge === undefined) return question.own();
  const { send, answer, toResult, placeholder } = question;
  let found: Awaited<ReturnType<Bridge['ask']>>;
  try {
    found = await bridge.ask(send, (message) => answers(answer, message), signal);
  } catch (error) {
    if (!isOffline(error)) throw error;
    return knownOffline(question);
  }
  if (found !== undefined) return toResult(readAnswer(answer, found));
  return { ...(await placeholder()), ...pendingRemarks(bridge, send) };
}

/** Returns the remarks of a result for which the backend's answer is still to come. */
export function pendingRemarks(bridge: Bridge, { type, channel }: OutgoingMessage): Remarks {
  const where = channel ?? `ide:${type}`;
  const message = bridge.isOnline
    ? `The IDE backend has not answered in time. Its answer will come on the channel ${where} of the live output`
    : 'The connection to the IDE backend was lost before it answered';
  return { pending: true, message, bridgeOnline: bridge.isOnline };
}

async function knownOffline<Data, Result extends object>({
  own,
  ownSources,
  placeholder,
}: Question<Data, Result>): Promise<Result & Remarks> {
  try {
    return { sources: ownSources, ...(await own()), bridgeOnline: false, message: OFFLINE };
  } catch (error) {
    if (!knowsNothing(error)) throw error;
    const message = `${OFFLINE}, and the gateway itself does not know this: ${error.message}`;
    return { ...(await placeholder()), bridgeOnline: false, message };
  }
}

/** Returns whether own sources failed only because they have nothing to tell. */
export function knowsNothing(error: unknown): error is GatewayError {
  return error instanceof GatewayError && KNOWS_NOTHING.has(error.code);
}

const OFFLINE = 'The IDE backend is not connected';

function isOffline(error: unknown): boolean {
  return error instanceof GatewayError && error.code === 'IDE_OFFLINE';
}
