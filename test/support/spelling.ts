import fc from 'fast-check';
import type { RawClient } from './clients/raw-client.ts';
import { type HttpAnswer, HttpSession } from './http/http-client.ts';
import { ModernHttpClient } from './http/modern-http-client.ts';
import { LINE_ENDS } from './lines.ts';

const LINE_END = new RegExp(['\r\n', ...LINE_ENDS].join('|'));

/** A client that calls the fixture server `spelling`. */
export interface SpellingClient {
  /** The answer to a call, as it was spelt. Throws where it is not one message. */
  call(name: string, args: object): Promise<string>;
  readonly readsEvents: boolean;
}

/** A client on standard input and output. */
export function onStdio(client: RawClient): SpellingClient {
  return {
    readsEvents: false,
    async call(name, args) {
      const params = JSON.stringify({ name, arguments: args }, undefined, 2).replaceAll('\n', '\r');
      const { text } = await client.request('tools/call', params);
      return only(text.split(/[\r\n]/));
    },
  };
}

/** Clients over HTTP, of both eras, whose answers are JSON or events. */
export async function overHttp(url: string): Promise<Readonly<Record<string, SpellingClient>>> {
  const events = { accept: 'text/event-stream, application/json' };
  const session = await HttpSession.open(url);
  const modern = new ModernHttpClient(url);
  const spread = (body: string) => JSON.stringify(JSON.parse(body), undefined, 2);
  const legacy = (headers: Record<string, string>): SpellingClient => ({
    readsEvents: 'accept' in headers,
    async call(name, args) {
      return messageIn(await session.post(spread(session.request('tools/call', { name, arguments: args })), headers));
    },
  });
  const ofModern = (headers: Record<string, string>): SpellingClient => ({
    readsEvents: 'accept' in headers,
    async call(name, args) {
      const params = { name, arguments: args };
      const all = { ...modern.headersFor('tools/call', params), ...headers };
      return messageIn(await modern.send(spread(modern.body('tools/call', params)), all));
    },
  });
  return {
    'HTTP, JSON': legacy({}),
    'HTTP, events': legacy(events),
    'modern HTTP, JSON': ofModern({}),
    'modern HTTP, events': ofModern(events),
  };
}

/** Reads a stream of events as those do that see most ends of lines. */
function messageIn({ headers, body }: HttpAnswer): string {
  if (headers['content-type'] === 'application/json') return body;
  const data = body.split(LINE_END).flatMap((line): string[] => {
    const [, field, value] = /^(id|event|retry|data|): ?(.*)$/su.exec(line) ?? [];
    if (line !== '' && field === undefined) throw new Error(`no line of an event: ${line}`);
    return field === 'data' && value !== '' ? [value!] : [];
  });
  return only(data);
}

function only(messages: readonly string[]): string {
  if (messages.length !== 1) throw new Error(`${messages.length} messages: ${JSON.stringify(messages)}`);
  return messages[0]!;
}

/** Returns the value of a JSON text as a client reads it, by the simplest means. */
export function onOneLine(json: string, { readsEvents }: SpellingClient): string {
  const line = json.replaceAll(/[\r\n]/g, ' ');
  if (!readsEvents) return line;
  return line.replaceAll(
    /[\u{85}\u{2028}\u{2029}]/gu,
    (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Strings in which readers of lines see ends of lines, or nearly do. */
export const lineStrings = fc
  .array(fc.oneof(fc.constantFrom('\u0085', '\u2028', '\u2029', '\u2027', 'é', '”'), fc.string({ unit: 'binary' })))
  .map((parts) => parts.join(''));
