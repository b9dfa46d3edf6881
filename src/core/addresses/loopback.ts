import { isIPv4 } from 'node:net';

/** Returns true if only programs of this machine reach a listener on this address. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}
