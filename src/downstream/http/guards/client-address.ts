import type { IncomingMessage } from 'node:http';

/**
 * Who is on the other end. Behind a proxy it is the last address in `X-Forwarded-For`: the proxy has put it there, what
 * stands before it anybody can have written.
 */
export function clientAddress({ socket, headers }: IncomingMessage, behindProxy: boolean): string {
  const forwarded = headers['x-forwarded-for'];
  const last = behindProxy && typeof forwarded === 'string' ? forwarded.split(',').at(-1)!.trim() : '';
  return last === '' || last.length > 64 ? (socket.remoteAddress ?? '') : last;
}
