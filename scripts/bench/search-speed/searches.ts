import { execFileSync } from 'node:child_process';
import path from 'node:path';
import type { EmbeddingsOptions } from '../../../src/core/settings/embeddings-options.ts';
import type { Knowledge } from '../../../src/knowledge/index/knowledge.ts';
import { percentile } from '../measure.ts';
import { QUERIES } from './queries.ts';

export type Out = (line?: string) => void;

/** The place of an index, and its folder. */
export interface Indexed {
  readonly home: string;
  readonly root: string;
  readonly embeddings?: EmbeddingsOptions;
}

const SEARCHES = 300;
const MEMORY_PROBE = path.resolve('scripts/bench/search-speed/memory-probe.ts');

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** Measures how long searches take, one after the other. */
export async function searching(out: Out, knowledge: Knowledge, root: string): Promise<void> {
  const modes = new Set<string>();
  const ask = async (query: string) => {
    const startedAt = performance.now();
    modes.add((await knowledge.search({ query, spaces: [root], limit: 10 })).mode);
    return performance.now() - startedAt;
  };
  const first = await ask(QUERIES[0]!);
  for (const query of QUERIES) await ask(query);
  const times: number[] = [];
  const before = process.cpuUsage();
  for (let count = 0; count < SEARCHES; count++) times.push(await ask(QUERIES[count % QUERIES.length]!));
  const { user, system } = process.cpuUsage(before);
  times.sort((a, b) => a - b);
  const [p50, p95] = [percentile(times, 0.5), percentile(times, 0.95)];
  out(
    `search (${[...modes].join(', ')}): p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms; the first ${first.toFixed(0)} ms; ${((user + system) / 1_000 / SEARCHES).toFixed(1)} ms of processor each`,
  );
}

/** In a process of its own, as a gateway has it after a start: what searching adds to what it had. */
export function searchMemory(out: Out, indexed: Indexed): void {
  const words = ['--import', 'tsx', MEMORY_PROBE, JSON.stringify({ ...indexed, queries: QUERIES, searches: SEARCHES })];
  const [before, after] = execFileSync(process.execPath, words, { encoding: 'utf8' }).split(' ').map(Number);
  out(
    `memory: ${before!.toFixed(0)} MiB before the first search, + ${(after! - before!).toFixed(0)} MiB after ${SEARCHES}`,
  );
}
