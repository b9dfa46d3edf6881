import type { ClientRequest } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { ImpossibleError } from '../../../core/impossible-error.ts';
import type { Environment } from '../../../core/settings/environment.ts';

/** The variables that name the proxy for a url, the more specific first. */
const VARIABLES: ReadonlyMap<string, readonly string[]> = new Map([
  ['http:', ['HTTP_PROXY', 'ALL_PROXY']],
  ['ws:', ['HTTP_PROXY', 'ALL_PROXY']],
  ['https:', ['HTTPS_PROXY', 'ALL_PROXY']],
  ['wss:', ['HTTPS_PROXY', 'ALL_PROXY']],
]);

/**
 * Returns the proxy that the environment wants for a url, as curl reads these variables: in small letters first, a proxy without
 * a scheme is reached by http, a name in `NO_PROXY` covers what is below it. What is on this machine is never asked of a proxy.
 * @throws ImpossibleError for a proxy that cannot be used
 */
export function proxyFor(url: URL, env: Environment): URL | undefined {
  const name = VARIABLES.get(url.protocol)?.find((each) => valueIn(env, each) !== '');
  if (name === undefined || isLoopback(url) || isExcepted(url, valueIn(env, 'NO_PROXY'))) return undefined;
  const value = valueIn(env, name);
  const text = value.includes('://') ? value : `http://${value}`;
  const proxy = URL.canParse(text) ? new URL(text) : undefined;
  if (proxy?.protocol === 'http:' || proxy?.protocol === 'https:') {
    if (isEncoded(proxy.username) && isEncoded(proxy.password)) return proxy;
    throw new ImpossibleError(`the user or password of the proxy in ${name} has a "%" that must be written as "%25"`);
  }
  const problem = proxy === undefined ? 'is no url' : `begins with ${proxy.protocol}//`;
  throw new ImpossibleError(
    `the proxy in ${name} ${problem}: give one that begins with http://, or put ${url.hostname} into NO_PROXY`,
  );
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function refusalOfProxy(status: number): string {
  const hint = status === 407 ? ', which asks for a user and a password: http://USER:PASSWORD@HOST:PORT' : '';
  return `HTTP ${status} of the proxy${hint}`;
}

/**
 * Calls `onRefused` with the fault if the proxy opens no tunnel for a request. The request must be destroyed then: what the
 * proxy says instead must not be taken for the server's response.
 */
export function onTunnelRefused(request: ClientRequest, onRefused: (fault: string) => void): void {
  request.once('proxyConnect', ({ statusCode = 200 }: { readonly statusCode?: number }) => {
    if (statusCode !== 200) onRefused(refusalOfProxy(statusCode));
  });
}

const valueIn = (env: Environment, name: string): string => (env[name.toLowerCase()] || env[name] || '').trim();

/** Returns the host without the brackets of an IPv6 address. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/** To a client, "all addresses" are its own. */
const THIS_MACHINE: ReadonlySet<string> = new Set(['localhost', '::1', '0.0.0.0', '::']);

function isLoopback(url: URL): boolean {
  const host = hostOf(url);
  return host.endsWith('.localhost') || THIS_MACHINE.has(host) || isWithin(host, '127.0.0.0/8');
}

function isExcepted(url: URL, list: string): boolean {
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((item) => item !== '' && covers(item, url));
}

function covers(item: string, url: URL): boolean {
  if (item === '*') return true;
  const host = hostOf(url);
  // The colons of an IPv6 address without brackets are not those of a port.
  const [, name = item, port] = /^([^:]+|\[.*\]):(\d+)$/.exec(item) ?? [];
  if (port !== undefined && port !== portOf(url)) return false;
  if (name.includes('/')) return isWithin(host, name);
  const bare = name.replace(/^\*?\./, '').replace(/^\[|\]$/g, '');
  return host === bare || (isIP(host) === 0 && host.endsWith(`.${bare}`));
}

function portOf({ port, protocol }: URL): string {
  if (port !== '') return port;
  return protocol === 'https:' || protocol === 'wss:' ? '443' : '80';
}

/** `range` is as in `10.0.0.0/8`. */
function isWithin(host: string, range: string): boolean {
  const [network = '', bits = ''] = range.split('/');
  const family = isIP(network) === 6 ? 'ipv6' : 'ipv4';
  if (isIP(network) === 0 || isIP(network) !== isIP(host) || !/^\d{1,3}$/.test(bits)) return false;
  if (Number(bits) > (family === 'ipv6' ? 128 : 32)) return false;
  const list = new BlockList();
  list.addSubnet(network, Number(bits), family);
  return list.check(host, family);
}
