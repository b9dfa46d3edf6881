import { isLoopbackHost } from '../../core/addresses/loopback.ts';
import { browserFailed } from '../failure.ts';

/** Address at which a browser listens for debuggers. */
export interface DebugAddress {
  /** A name, or an IP address without brackets. */
  readonly host: string;
  readonly port: number;
  /** As it is in a URL, with the port. */
  readonly authority: string;
}

/**
 * Reads the address of a browser's debugging port.
 * @param text `http://host:port`
 * @param debugHosts hosts besides this machine that are allowed
 * @throws GatewayError that says what is wrong with it
 */
export function parseDebugUrl(text: string, debugHosts: readonly string[]): DebugAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:') throw wrong('must be http://HOST:PORT, such as http://127.0.0.1:9222');
  if (url.username !== '' || url.password !== '') throw wrong('must not have a user or a password');
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') throw wrong('must end after the port');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (!isLoopbackHost(host) && !debugHosts.some((allowed) => allowed.toLowerCase() === host))
    throw wrong('must lead to this machine, or to a host that workflows.webview.debugHosts lists');
  const port = url.port === '' ? 80 : Number(url.port);
  return { host, port, authority: `${url.hostname}:${port}` };
}

const wrong = (what: string) => browserFailed(`failed to connect: debug_url ${what}`);
