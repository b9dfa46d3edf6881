import { readListenAddress } from '../../core/addresses/listen-address.ts';
import { type Finding, isMapping, valueAt } from '../findings/finding.ts';
import { checkAccessNames } from '../profiles/profile-rules.ts';
import { exposureProblem, type Protection, tcpExposureProblem } from './exposure.ts';

/**
 * Checks how the keys of `server` go together, beyond the form of each value.
 * @param file the whole file, of any shape
 */
export function serverFindings(file: unknown, knownWorkflows: readonly string[]): Finding[] {
  const server = valueAt(file, ['server']);
  return isMapping(server) ? [...exposureFindings(server), ...tokenFindings(file, knownWorkflows)] : [];
}

function exposureFindings(server: Readonly<Record<string, unknown>>): Finding[] {
  const { host = '127.0.0.1', tcp, tokens, oauth, tls, behindProxy } = server;
  const protection = {
    tokens: Array.isArray(tokens),
    oauth: isMapping(oauth),
    tls: isMapping(tls),
    behindProxy: behindProxy === true,
  };
  const problem = typeof host === 'string' ? exposureProblem(host, protection) : undefined;
  const ofTcp = tcpFindings(tcp, protection);
  if (problem === undefined) return ofTcp;
  const path = ['server', 'host' in server ? 'host' : 'behindProxy'];
  return [{ path, ...problem, isUnprotected: true }, ...ofTcp];
}

function tcpFindings(tcp: unknown, protection: Protection): Finding[] {
  const address = typeof tcp === 'string' ? readListenAddress(tcp) : undefined;
  const problem = address === undefined ? undefined : tcpExposureProblem(address, protection);
  return problem === undefined ? [] : [{ path: ['server', 'tcp'], ...problem, isUnprotected: true }];
}

function tokenFindings(file: unknown, knownWorkflows: readonly string[]): Finding[] {
  const tokens = valueAt(file, ['server', 'tokens']);
  if (!Array.isArray(tokens)) return [];
  const upstreams = valueAt(file, ['upstreams']);
  const known = { upstreams: isMapping(upstreams) ? Object.keys(upstreams) : [], workflows: knownWorkflows };
  return [
    ...repeated(tokens, 'name', 'another token has this name'),
    ...repeated(tokens, 'hash', 'another token has this hash'),
    ...tokens.flatMap((token, index) => checkAccessNames(token, ['server', 'tokens', index], known)),
  ];
}

function repeated(tokens: readonly unknown[], key: string, message: string): Finding[] {
  const seen = new Set<unknown>();
  return tokens.flatMap((token, index) => {
    const value = valueAt(token, [key]);
    if (value === undefined || !seen.has(value)) {
      seen.add(value);
      return [];
    }
    return [{ path: ['server', 'tokens', index, key], message }];
  });
}
