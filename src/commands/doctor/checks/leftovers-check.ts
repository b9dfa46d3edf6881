import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { UpstreamEntry } from '../../../core/settings/upstream-entry.ts';
import type { Check } from './check.ts';
import type { Gateways } from './daemon-checks.ts';

const LIMIT_MS = 5_000;
const SHORTEST_MATCH = 8;

export interface Leftover {
  readonly pid: number;
  /** Key of the entry that it was probably started for. */
  readonly upstream: string;
}

/** Finds processes that look like upstreams of this config and have lost their parent. There should never be any. */
export async function checkLeftovers(entries: readonly UpstreamEntry[], { own, others }: Gateways): Promise<Check> {
  const name = 'leftovers';
  // In a container the gateway may itself be the process that orphans are given to.
  if ([own, ...others].some((record) => record?.pid === 1)) {
    return { name, mark: 'skipped', text: 'the gateway is process 1: orphans cannot be told from its own' };
  }
  const table = await processTable();
  if (table === undefined) return { name, mark: 'skipped', text: 'ps is missing, or does not answer' };
  const found = findLeftovers(table, entries, process.getuid?.() ?? 0);
  if (found.length === 0) return { name, mark: 'ok', text: 'no processes of earlier gateways' };
  const shown = found.map(({ pid, upstream }) => `${pid} (${upstream})`).join(', ');
  const text = `processes without a parent look like upstreams of an earlier gateway: ${shown}`;
  return { name, mark: 'warn', text, fix: `if they are: kill ${found.map(({ pid }) => pid).join(' ')}` };
}

/** `table`: lines of process id, parent's id, user's id and command line. */
export function findLeftovers(table: string, entries: readonly UpstreamEntry[], uid: number): Leftover[] {
  return table.split('\n').flatMap((line) => {
    const [numbers = '', pid, parent, owner] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s/.exec(line) ?? [];
    if (parent !== '1' || Number(owner) !== uid) return [];
    const command = line.slice(numbers.length).trimStart();
    const entry = entries.find((candidate) => looksLike(command, candidate));
    return entry === undefined ? [] : [{ pid: Number(pid), upstream: entry.key }];
  });
}

/** The whole command line tells an upstream from any other `node`. */
function looksLike(commandLine: string, { command, args }: UpstreamEntry): boolean {
  if (command === undefined) return false;
  const tail = [path.basename(command), ...args].join(' ');
  return tail.length >= SHORTEST_MATCH && (commandLine === tail || commandLine.endsWith(`/${tail}`));
}

async function processTable(): Promise<string | undefined> {
  if (process.platform === 'win32') return undefined;
  const options = { timeout: LIMIT_MS, killSignal: 'SIGKILL' as const, maxBuffer: 32 * 1024 * 1024 };
  try {
    return (await promisify(execFile)('ps', ['-A', '-ww', '-o', 'pid=,ppid=,uid=,args='], options)).stdout;
  } catch {
    return undefined; // small containers have none
  }
}
