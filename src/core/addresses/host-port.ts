import { isIP } from 'node:net';
import { isLoopbackHost } from './loopback.ts';

/** The address of a listener. */
export interface HostPort {
  /** The host, without the brackets of IPv6. */
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
}

const LOOPBACK = '127.0.0.1';
const FORM = /^(?:\[([\da-f:.]+)\]|([^\s:/[\]@]*)):(\d{1,5})$/i;

/**
 * Reads `host:port`; `undefined` if it is none. Without a host it means this machine alone, not all of its addresses,
 * and so does `localhost`, regardless of how the system resolves that name.
 */
export function readHostPort(text: string): HostPort | undefined {
  const [, inBrackets, name = '', digits] = FORM.exec(text.trim()) ?? [];
  const port = Number(digits ?? Number.NaN);
  if (!(port <= 65_535) || (inBrackets !== undefined && isIP(inBrackets) !== 6)) return undefined;
  if (inBrackets !== undefined) return { host: inBrackets.toLowerCase(), port };
  const host = name.toLowerCase();
  return { host: host === '' || host === 'localhost' ? LOOPBACK : host, port };
}

export const isBeyondLoopback = ({ host }: HostPort): boolean => !isLoopbackHost(host);

/** Returns the host and port as they appear in a url. */
export function shownHostPort({ host, port }: HostPort): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}
