import type { Frame } from '../../../wire/frame.ts';
import { type Body, readBody } from '../http/body.ts';
import type { HttpEndpoint } from '../http/endpoint.ts';
import { failureOf, type HttpResponse, statusOf } from '../http/response.ts';
import type { NetworkFault } from '../network/network-fault.ts';
import type { RequestFailure } from '../transport.ts';

/** The outcome of one question to a plug-in. */
export type IdeAnswer =
  | { readonly kind: 'json'; readonly status: number; readonly frame: Frame }
  /** There is a server, but its response is not JSON, or broke off. */
  | { readonly kind: 'failed'; readonly failure: RequestFailure }
  | { readonly kind: 'unreachable'; readonly reason: string };

export interface IdeQuestion {
  readonly url: string;
  /** The body of a POST; if absent, the request is a GET. */
  readonly body?: Buffer;
  readonly maxBytes: number;
}

/** One question under way. */
export interface OpenQuestion {
  readonly unsentBytes: number;
  /** Closes the connection, because the response is no longer wanted; nothing is reported. */
  abort(): void;
}

const TOO_LARGE: RequestFailure = {
  code: 'ANSWER_TOO_LARGE',
  reason: 'the answer is too large. Ask for less, or raise limits.frameBytes in the config',
  effect: 'unknown',
};

/** Asks on a connection of its own, as this dialect has it; `done` is called once. */
export function askIde(
  from: HttpEndpoint,
  { url, body, maxBytes }: IdeQuestion,
  done: (answer: IdeAnswer) => void,
): OpenQuestion {
  const endpoint = from.at(new URL(url));
  let isOver = false;
  const settle = (answer: IdeAnswer) => {
    if (isOver) return;
    isOver = true;
    done(answer);
  };
  const call = endpoint.send(
    {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        connection: 'close',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
    },
    {
      onResponse: (response) => readBody(response, { maxBytes }, (read) => settle(answerOf(response, read))),
      onFault: (fault) => settle(ofFault(fault)),
    },
  );
  return {
    get unsentBytes() {
      return endpoint.queuedBytes;
    },
    abort() {
      isOver = true;
      call.destroy();
    },
  };
}

/** Asks the same with a time limit of `ms` milliseconds; resolves with `undefined` after that. */
export function askIdeWithin(ms: number, from: HttpEndpoint, question: IdeQuestion): Promise<IdeAnswer | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      open.abort();
      resolve(undefined);
    }, ms);
    const open = askIde(from, question, (answer) => {
      clearTimeout(timer);
      resolve(answer);
    });
  });
}

function ofFault({ reason, isUnreachable }: NetworkFault): IdeAnswer {
  if (isUnreachable) return { kind: 'unreachable', reason };
  return { kind: 'failed', failure: { code: 'UPSTREAM_EXITED', reason, effect: 'unknown' } };
}

function answerOf(response: HttpResponse, body: Body): IdeAnswer {
  if (body.kind === 'frame') return { kind: 'json', status: statusOf(response), frame: body.frame };
  if (body.kind === 'broken') return ofFault({ reason: 'the answer broke off', isUnreachable: false });
  const isTooLarge = body.kind === 'lost' && body.line.reason === 'too-large';
  return { kind: 'failed', failure: isTooLarge ? TOO_LARGE : invalid(response) };
}

/** `failureOf` mentions JSON-RPC, which this protocol does not use. */
function invalid(response: HttpResponse): RequestFailure {
  const status = statusOf(response);
  if (status >= 400) return failureOf(response);
  const reason = `invalid answer: HTTP ${status} and no JSON`;
  return { code: 'UPSTREAM_INVALID_ANSWER', reason, effect: 'unknown', status };
}
