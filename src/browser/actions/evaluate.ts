import type { Protocol } from 'devtools-protocol/types/protocol.d.ts';
import { orAfter } from '../../core/timing/or-after.ts';
import { CdpError } from '../cdp/cdp-error.ts';
import type { CdpSession } from '../cdp/cdp-session.ts';
import { type DescribedValue, describeValue } from '../injected/describe-value.ts';
import { thrownText } from '../page/console-text.ts';
import { isStale } from '../page/frames.ts';
import { asFunctionText } from '../page/in-page.ts';
import type { Page } from '../page/page.ts';
import { boundedText } from '../page/page-text.ts';
import { usePage } from '../page/use-page.ts';

export interface EvaluateAnswer {
  readonly success: boolean;
  /** JSON; missing if the script has no result. */
  readonly result?: unknown;
  /** The exception, if the script has thrown one. */
  readonly error?: string;
  /** True if a part of the result was left out. */
  readonly isCut?: boolean;
}

/** Characters of JSON, nearly: keys and punctuation are counted roughly. */
const MAX_RESULT = 100_000;
const MAX_ERROR = 2_000;
/** A page that answers within this time is not in a loop. */
const PROBE_MS = 500;

type RemoteObject = Protocol.Runtime.RemoteObject;

/**
 * Runs JavaScript in the main frame as the page itself would: an expression or statements, of which the last one is the result.
 * `await` works at the top, and a promise is awaited.
 * @returns an exception of the script is an answer too
 * @throws GatewayError if the page is gone; the reason of `signal`: a script that still runs is ended, and the page can be used
 */
export async function evaluate(page: Page, script: string, signal: AbortSignal): Promise<EvaluateAnswer> {
  return usePage(page, async () => {
    try {
      return await run(page, script, signal);
    } catch (error) {
      if (signal.aborted) await endScript(page);
      if (isStale(error)) return { success: false, error: 'The page went to another address while the script ran' };
      throw error;
    }
  });
}

async function run({ session }: Page, expression: string, signal: AbortSignal): Promise<EvaluateAnswer> {
  const params = {
    expression,
    objectGroup: GROUP,
    replMode: true,
    awaitPromise: true,
    userGesture: true,
    allowUnsafeEvalBlockedByCSP: true,
  };
  const answer = await session.send('Runtime.evaluate', params, signal);
  const { result, exceptionDetails } = await settled(session, answer, signal);
  if (exceptionDetails !== undefined)
    return { success: false, error: boundedText(thrownText(exceptionDetails), MAX_ERROR) };
  const described = await describe(session, result, signal);
  return answerWith(described);
}

/** `replMode` awaits for `await` in the script, not for its result. */
async function settled(
  session: CdpSession,
  answer: Protocol.Runtime.EvaluateResponse,
  signal: AbortSignal,
): Promise<Protocol.Runtime.AwaitPromiseResponse> {
  const { subtype, objectId } = answer.result;
  if (subtype !== 'promise' || answer.exceptionDetails !== undefined) return answer;
  return session.send('Runtime.awaitPromise', { promiseObjectId: objectId! }, signal);
}

const GROUP = 'viaduct-evaluate';

function answerWith({ value, isCut }: DescribedValue): EvaluateAnswer {
  return { success: true, ...(value === undefined ? {} : { result: value }), ...(isCut ? { isCut } : {}) };
}

async function describe(session: CdpSession, result: RemoteObject, signal: AbortSignal): Promise<DescribedValue> {
  const { objectId } = result;
  if (objectId === undefined) return primitive(result);
  const params = {
    objectId,
    functionDeclaration: asFunctionText(describeValue),
    arguments: [{ objectId }, { value: MAX_RESULT }],
    returnByValue: true,
  };
  const answer = await session.send('Runtime.callFunctionOn', params, signal);
  session.send('Runtime.releaseObjectGroup', { objectGroup: GROUP }).catch(() => undefined);
  return bounded(answer.result.value as DescribedValue | undefined, result);
}

/** Bounds a description, because the page can change the functions that describe its objects. */
function bounded(described: DescribedValue | undefined, { description, type }: RemoteObject): DescribedValue {
  if (described === undefined || typeof described !== 'object')
    return { value: `[${boundedText(description ?? type, MAX_ERROR)}]`, isCut: false };
  if (JSON.stringify(described.value ?? null).length <= 2 * MAX_RESULT) return described;
  return { value: boundedText(JSON.stringify(described.value), MAX_RESULT), isCut: true };
}

function primitive({ type, value, unserializableValue, description }: RemoteObject): DescribedValue {
  if (type === 'undefined') return { value: undefined, isCut: false };
  if (unserializableValue !== undefined) return text(unserializableValue);
  if (type === 'symbol') return text(`[${description}]`);
  return typeof value === 'string' ? text(value) : { value: value ?? null, isCut: false };
}

function text(value: string): DescribedValue {
  if (value.length <= MAX_RESULT) return { value, isCut: false };
  return { value: `${boundedText(value, MAX_RESULT)} (${value.length} characters in all)`, isCut: true };
}

/** Ends a script that does not end by itself. */
async function endScript({ session }: Page): Promise<void> {
  const probe = () => session.send('Runtime.evaluate', { expression: '0' }, orAfter(session.ended, PROBE_MS));
  try {
    await probe();
  } catch (error) {
    if (error instanceof CdpError) return;
    await session
      .send('Runtime.terminateExecution', undefined, orAfter(session.ended, PROBE_MS))
      .catch(() => undefined);
  }
}
