import { readFileSync } from 'node:fs';
import type { BenchClient } from './clients.ts';

const TICKS_PER_SECOND = 100;

/** CPU time of a process so far in microseconds; `undefined` where the system does not tell (only Linux does here). */
function cpuOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND) * 1e6;
  } catch {
    return undefined;
  }
}

/** Resident memory of a process in MiB. */
export function rssOf(pid: number): number | undefined {
  return mebibytesIn(`/proc/${pid}/status`, /^VmRSS:\s+(\d+)/m);
}

/** Proportional set size of a process in MiB; `undefined` where the system does not tell. */
export function pssOf(pid: number): number | undefined {
  return mebibytesIn(`/proc/${pid}/smaps_rollup`, /^Pss:\s+(\d+)/m);
}

function mebibytesIn(file: string, kibibytes: RegExp): number | undefined {
  try {
    return Number(kibibytes.exec(readFileSync(file, 'latin1'))?.[1]) / 1024;
  } catch {
    return undefined;
  }
}

export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return percentile(
    [...values].sort((a, b) => a - b),
    0.5,
  );
}

export interface Block {
  readonly p50: number;
  readonly p99: number;
  readonly perSecond: number;
  /** CPU of the target's own processes, in microseconds a call. */
  readonly cpu: number | undefined;
}

/** Calls for `ms` milliseconds with `concurrency` calls under way all the time. Times in microseconds. */
export async function runBlock(client: BenchClient, params: string, concurrency: number, ms: number): Promise<Block> {
  const times: number[] = [];
  const [pid] = client.pids;
  const cpuBefore = pid === undefined ? undefined : cpuOf(pid);
  const startedAt = performance.now();
  const end = startedAt + ms;
  const worker = async () => {
    while (performance.now() < end) {
      const from = performance.now();
      await client.request('tools/call', params);
      times.push((performance.now() - from) * 1000);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  const seconds = (performance.now() - startedAt) / 1000;
  const cpuAfter = pid === undefined ? undefined : cpuOf(pid);
  times.sort((a, b) => a - b);
  return {
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    perSecond: times.length / seconds,
    cpu: cpuBefore === undefined || cpuAfter === undefined ? undefined : (cpuAfter - cpuBefore) / times.length,
  };
}

/** How long one request takes, in milliseconds. */
export async function timed(client: BenchClient, method: string, params: string): Promise<number> {
  const from = performance.now();
  await client.request(method, params);
  return performance.now() - from;
}
