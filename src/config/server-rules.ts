import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { withHome } from './build-config.ts';
import type { Environment } from './expand.ts';
import { exposureProblem } from './exposure.ts';
import { type Finding, isMapping, valueAt } from './finding.ts';
import { checkAccessNames } from './profile-rules.ts';

export interface ServerRulesContext {
  /** Folder of the config file. */
  readonly folder: string;
  readonly env: Environment;
  readonly knownWorkflows: readonly string[];
}

/** What holds for `server` beyond the form of each value. `file` is the whole file, of whatever shape. */
export function serverFindings(file: unknown, context: ServerRulesContext): Finding[] {
  const server = valueAt(file, ['server']);
  if (!isMapping(server)) return [];
  return [...exposureFindings(server), ...tokenFindings(file, context), ...tlsFindings(server, context)];
}

function exposureFindings(server: Readonly<Record<string, unknown>>): Finding[] {
  const { host = '127.0.0.1', tokens, oauth, tls, behindProxy } = server;
  if (typeof host !== 'string') return [];
  const problem = exposureProblem(host, {
    tokens: Array.isArray(tokens),
    oauth: isMapping(oauth),
    tls: isMapping(tls),
    behindProxy: behindProxy === true,
  });
  if (problem === undefined) return [];
  return [{ path: ['server', 'host' in server ? 'host' : 'behindProxy'], ...problem, isUnprotected: true }];
}

function tokenFindings(file: unknown, { knownWorkflows }: ServerRulesContext): Finding[] {
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

/** Whether the files are there and can be read: what is in them is looked at when they are used. */
function tlsFindings(server: Readonly<Record<string, unknown>>, { folder, env }: ServerRulesContext): Finding[] {
  return ['cert', 'key'].flatMap((key): Finding[] => {
    const written = valueAt(server, ['tls', key]);
    if (typeof written !== 'string' || written === '') return [];
    const file = resolve(folder, withHome(written, env));
    const problem = readingProblem(file);
    return problem === undefined
      ? []
      : [{ path: ['server', 'tls', key], message: `${file} cannot be read (${problem})`, hint: 'name a PEM file' }];
  });
}

function readingProblem(file: string): string | undefined {
  try {
    readFileSync(file);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}
