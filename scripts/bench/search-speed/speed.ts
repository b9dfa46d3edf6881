import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Knowledge } from '../../../src/knowledge/index/knowledge.ts';
import { openKnowledge } from '../../../src/knowledge/index/open-knowledge.ts';
import { percentile } from '../measure.ts';
import { measureBeside } from './beside.ts';
import { copyPackages } from './corpus.ts';

const FILES = 10_000;
const SEARCHES = 300;
const CHANGES = 5;
const MEMORY_PROBE = path.resolve('scripts/bench/search-speed/memory-probe.ts');
/** Of all kinds: names, words that are everywhere, questions. */
const QUERIES = [
  'parse request headers',
  'createServer',
  'error handling when the connection closes',
  'debounce',
  'function',
  'return value of promise',
  'how are files read',
  'string number conversion',
  'resolve module path',
  'Map',
  'class constructor options',
  'json schema validation error message',
  'write a file to disk atomically',
  'token',
  'compare two strings ignoring case',
  'event emitter listener removed',
  'how does the tokenizer skip comments',
];

type Out = (line?: string) => void;

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** Measures how fast a folder of 10,000 source files is indexed and searched. */
export async function speedFigures(out: Out): Promise<void> {
  const root = mkdtempSync(path.join(tmpdir(), 'viaduct-speed-'));
  const home = mkdtempSync(path.join(tmpdir(), 'viaduct-speed-home-'));
  const knowledge = openKnowledge({ home });
  try {
    const { files, megabytes } = copyPackages(root, FILES);
    out(`${files} source files, ${megabytes.toFixed(1)} MB`);
    await indexing(out, knowledge, root, home, megabytes);
    await searching(out, knowledge, root);
    await changing(out, knowledge, root);
    await knowledge.close();
    searchMemory(out, home, root);
  } finally {
    await knowledge.close();
    rmSync(home, { recursive: true, force: true });
  }
  await measureBeside(out, root);
  rmSync(root, { recursive: true, force: true });
}

async function indexing(out: Out, knowledge: Knowledge, root: string, home: string, megabytes: number): Promise<void> {
  const before = process.cpuUsage();
  const startedAt = performance.now();
  const { chunksCreated, status } = await knowledge.index(root, {});
  const took = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(before);
  out(
    `indexed in ${seconds(took)} (${seconds((user + system) / 1_000)} of processor): ${chunksCreated} chunks, ${status}`,
  );
  const againAt = performance.now();
  await knowledge.index(root, {});
  out(`again, nothing changed: ${seconds(performance.now() - againAt)}`);
  const bytes = readdirSync(home).reduce((sum, name) => sum + sizeOf(path.join(home, name)), 0);
  out(`on disk: ${(bytes / 1e6).toFixed(1)} MB, ${(bytes / 1e6 / megabytes).toFixed(2)}x the text`);
}

const sizeOf = (file: string): number => (file.includes('knowledge.db') ? statSync(file).size : 0);

async function searching(out: Out, knowledge: Knowledge, root: string): Promise<void> {
  const ask = (query: string) => knowledge.search({ query, spaces: [root], limit: 10 });
  for (const query of QUERIES) await ask(query);
  const times: number[] = [];
  for (let count = 0; count < SEARCHES; count++) {
    const startedAt = performance.now();
    await ask(QUERIES[count % QUERIES.length]!);
    times.push(performance.now() - startedAt);
  }
  times.sort((a, b) => a - b);
  const [median, most] = [percentile(times, 0.5), percentile(times, 0.95)];
  out(`search: p50 ${median.toFixed(1)} ms, p95 ${most.toFixed(1)} ms`);
}

/** In a process of its own, as a gateway has it after a start: what searching adds to what it had. */
function searchMemory(out: Out, home: string, root: string): void {
  const words = ['--import', 'tsx', MEMORY_PROBE, home, root, JSON.stringify(QUERIES)];
  const [before, after] = execFileSync(process.execPath, words, { encoding: 'utf8' }).split(' ').map(Number);
  out(
    `memory: ${before!.toFixed(0)} MiB before the first search, + ${(after! - before!).toFixed(0)} MiB after ${SEARCHES}`,
  );
}

async function changing(out: Out, knowledge: Knowledge, root: string): Promise<void> {
  const file = path.join(root, 'changing.ts');
  writeFileSync(file, '// It changes.\n');
  await knowledge.index(root, {});
  const times: number[] = [];
  for (let change = 0; change < CHANGES; change++) {
    const word = `quokka${'abcdefgh'[change]}`;
    await knowledge.search({ query: 'changes', spaces: [root], limit: 1 });
    const startedAt = performance.now();
    appendFileSync(file, `// ${word}\n`);
    while ((await knowledge.search({ query: word, spaces: [root], limit: 1 })).results.length === 0);
    times.push(performance.now() - startedAt);
  }
  times.sort((a, b) => a - b);
  out(
    `one changed file is searchable after ${percentile(times, 0.5).toFixed(0)} ms (longest ${times.at(-1)!.toFixed(0)} ms)`,
  );
}
