import type { IncomingMessage } from 'node:http';

/**
 * Returns the address of the client. Behind a proxy that is the last address in `X-Forwarded-For`, because the proxy
 * added it; anyone can have written the addresses before it.
 */
export function clientAddress({ socket, headers }: IncomingMessage, behindProxy: boolean): string {
  const forwarded = headers['x-forwarded-for'];
  const last = behindProxy && typeof forwarded === 'string' ? forwarded.split(',').at(-1)!.trim() : '';
  return last === '' || last.length > 64 ? (socket.remoteAddress ?? '') : last;
}
