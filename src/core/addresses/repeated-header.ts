import type { IncomingMessage } from 'node:http';

/** Headers that decide something: where one occurs twice, proxies and we could read different ones. */
const SINGLE_HEADERS = new Set([
  'host',
  'origin',
  'authorization',
  'content-type',
  'mcp-session-id',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'last-event-id',
]);

/** Returns the first header that may occur once and occurs more often. */
export function repeatedHeader({ headers, rawHeaders }: IncomingMessage): string | undefined {
  // Headers of one name become one member: as many as were sent, and none was sent twice.
  if (Object.keys(headers).length * 2 === rawHeaders.length) return undefined;
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!.toLowerCase();
    if (!SINGLE_HEADERS.has(name)) continue;
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return undefined;
}
