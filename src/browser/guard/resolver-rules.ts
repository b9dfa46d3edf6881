import { isIP } from 'node:net';
import { addressKind } from './address-kind.ts';
import { isLocalName } from './host-lookup.ts';
import type { OwnAddress } from './own-addresses.ts';

/** Ports of half the internet: there only the hosts can be forbidden. */
const COMMON_PORTS: ReadonlySet<number> = new Set([80, 443]);

const ALWAYS = ['169.254.*', 'metadata.google.internal', 'metadata.goog'];

const LOCAL_HOSTS = ['localhost', '*.localhost', '127.*', '0.0.0.0', '[::1]', '[::]'];

/**
 * Returns rules for `--host-resolver-rules` that keep a browser from connecting to these addresses in any way. They are a
 * second line for connections that the guard does not see, mainly WebSockets. The port of a gateway is forbidden on all hosts: any name
 * may lead to it.
 */
export function resolverRules(own: readonly OwnAddress[]): string {
  const patterns = [...ALWAYS, ...own.flatMap(patternsFor)].filter(isPattern);
  return [...new Set(patterns)].map((pattern) => `MAP ${pattern} ^NOTFOUND`).join(',');
}

function patternsFor({ host, port }: OwnAddress): readonly string[] {
  if (!COMMON_PORTS.has(port)) return [`*:${port}`];
  const bracketed = isIP(host) === 6 ? `[${host}]` : host;
  const isHere = isLocalName(host) || (isIP(host) !== 0 && addressKind(host) === 'loopback');
  return (isHere ? LOCAL_HOSTS : [bracketed]).map((name) => `${name}:${port}`);
}

/** A comma or space would begin another rule. */
const isPattern = (text: string) => /^[\w.*:[\]-]+$/.test(text);
