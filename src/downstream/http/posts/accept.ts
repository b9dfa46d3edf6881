import type { IncomingMessage } from 'node:http';
import Negotiator from 'negotiator';

/** The types of answers that a client takes. */
export interface AnswerTypes {
  readonly json: boolean;
  readonly events: boolean;
  /** Event streams come first, also for an answer before which nothing comes. */
  readonly prefersEvents: boolean;
}

/** The header that clients of the official SDKs send. */
const USUAL = 'application/json, text/event-stream';
const BOTH: AnswerTypes = { json: true, events: true, prefersEvents: false };

/**
 * Reads the Accept header of a request (RFC 9110, section 12.5.1): quality values, wildcards and any capitals count,
 * parameters such as a charset do not. A request without the header takes everything.
 */
export function answerTypes(request: IncomingMessage): AnswerTypes {
  if (request.headers.accept === USUAL) return BOTH;
  const wanted = new Negotiator(request).mediaTypes().map((type) => type.toLowerCase());
  const rankOf = (type: string, group: string) =>
    wanted.findIndex((range) => range === type || range === group || range === '*/*');
  const json = rankOf('application/json', 'application/*');
  const events = rankOf('text/event-stream', 'text/*');
  return { json: json !== -1, events: events !== -1, prefersEvents: events !== -1 && (json === -1 || events < json) };
}
