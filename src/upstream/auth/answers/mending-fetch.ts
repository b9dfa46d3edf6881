import type { FetchLike } from '@modelcontextprotocol/client';
import { type Answer, AnswerFault, type AnswerKind, errorIn, isAnswer, isAnswerOf, mendAnswer } from './mend-answer.ts';

export interface MendingOptions {
  /** Stand in for members that are absent. */
  readonly defaults?: Answer;
  /** Sees a JSON object before it is judged, and is awaited. */
  onAnswer?(answer: Answer): Promise<void>;
}

/**
 * Returns a `fetch` whose answers the SDK can read: JSON of the one kind that is asked for, mended. Metadata that is
 * no JSON object counts as not found, because many sites answer every path with a page. Errors become those of RFC 6749.
 * @throws AnswerFault that names the address
 */
export function mendingFetch(kind: AnswerKind, fetchFn: FetchLike, options: MendingOptions = {}): FetchLike {
  return async (url, init) => {
    const response = await fetchFn(url, init);
    if (response.status >= 300 && response.status < 400) return response;
    const answer = parse(await response.text());
    if (!response.ok) return answerOf(errorOf(response, answer), response.status);
    const isMetadata = kind === 'resource' || kind === 'server';
    if (isMetadata && (answer === undefined || !isAnswerOf(kind, answer))) return answerOf({}, 404);
    if (answer === undefined)
      throw new AnswerFault(`${placeOf(url)} answered with ${typeOf(response)} in place of JSON`);
    await options.onAnswer?.(answer);
    return answerOf({ ...options.defaults, ...mend(kind, answer, url) }, response.status);
  };
}

function mend(kind: AnswerKind, answer: Answer, url: string | URL): Answer {
  try {
    return mendAnswer(kind, answer);
  } catch (error) {
    throw error instanceof AnswerFault ? new AnswerFault(`the answer of ${placeOf(url)} ${error.message}`) : error;
  }
}

/** JSON, with any content type; and forms, which some servers send as tokens. */
function parse(body: string): Answer | undefined {
  const content = body.replace(/^\uFEFF/, '').trim();
  if (/^(access_token|error)=|^[\w]+=[^\s<]*&(access_token|error)=/.test(content))
    return Object.fromEntries(new URLSearchParams(content));
  try {
    const value: unknown = JSON.parse(content);
    return isAnswer(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** An answer that is no error of OAuth is named by its status; its body is not shown. */
function errorOf(response: Response, answer: Answer | undefined): Answer {
  return (answer && errorIn(answer)) ?? { error: `HTTP ${response.status}`, error_description: typeOf(response) };
}

function typeOf(response: Response): string {
  return /^[\w.+-]+\/[\w.+-]+/.exec(response.headers.get('content-type') ?? '')?.[0] ?? 'an unknown type';
}

/** Returns the url without parts that may be secret. */
function placeOf(url: string | URL): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

function answerOf(answer: Answer, status: number): Response {
  return Response.json(answer, { status });
}
