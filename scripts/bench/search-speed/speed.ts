import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Knowledge } from '../../../src/knowledge/index/knowledge.ts';
import { openKnowledge } from '../../../src/knowledge/index/open-knowledge.ts';
import { percentile } from '../measure.ts';
import { measureBeside } from './beside.ts';
import { copyPackages } from './corpus.ts';
import { measureLarge } from './large.ts';
import { type Out, searching, searchMemory, seconds } from './searches.ts';

const FILES = 10_000;
const CHANGES = 5;
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
    searchMemory(out, { home, root });
  } finally {
    await knowledge.close();
    rmSync(home, { recursive: true, force: true });
  }
  await measureBeside(out, root);
  rmSync(root, { recursive: true, force: true });
  await measureLarge(out);
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
