import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type EmbeddingsOptions, embeddingsOptions } from '../../../src/core/settings/embeddings-options.ts';
import { openKnowledge } from '../../../src/knowledge/index/open-knowledge.ts';
import { copyPackages } from './corpus.ts';
import { type Out, searching, searchMemory, seconds } from './searches.ts';

/** Some 100,000 chunks. */
const FILES = Number(process.env.VIADUCT_BENCH_FILES ?? 9_800);
/** As nomic-embed-text has them. */
const DIMENSIONS = 768;
const SERVICE = path.resolve('scripts/bench/search-speed/vector-service.ts');

/** Measures searches in a large index: by words, and with vectors. */
export async function measureLarge(out: Out): Promise<void> {
  const root = mkdtempSync(path.join(tmpdir(), 'viaduct-large-'));
  const home = mkdtempSync(path.join(tmpdir(), 'viaduct-large-home-'));
  const service = spawn(process.execPath, ['--import', 'tsx', SERVICE, String(DIMENSIONS)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const embeddings = embeddingsOptions.parse({ url: await firstWord(service) });
    const { files, megabytes } = copyPackages(root, FILES);
    out(`\na large index: ${files} source files, ${megabytes.toFixed(1)} MB`);
    await byWords(out, home, root);
    await withVectors(out, home, root, embeddings);
  } finally {
    service.kill('SIGKILL');
    for (const folder of [home, root]) rmSync(folder, { recursive: true, force: true });
  }
}

async function firstWord(service: ChildProcess): Promise<string> {
  const [word] = (await once(service.stdout!, 'data')) as [Buffer];
  return word.toString();
}

async function byWords(out: Out, home: string, root: string): Promise<void> {
  const knowledge = openKnowledge({ home });
  const startedAt = performance.now();
  const { chunksCreated } = await knowledge.index(root, {});
  out(`indexed in ${seconds(performance.now() - startedAt)}: ${chunksCreated} chunks`);
  await searching(out, knowledge, root);
  await knowledge.close();
  searchMemory(out, { home, root });
}

async function withVectors(out: Out, home: string, root: string, embeddings: EmbeddingsOptions): Promise<void> {
  const knowledge = openKnowledge({ home, embeddings });
  const startedAt = performance.now();
  const { status, errors } = await knowledge.index(root, {});
  const took = seconds(performance.now() - startedAt);
  out(`vectors of ${DIMENSIONS} numbers made in ${took}, by a stand-in for Ollama: ${[status, ...errors].join(', ')}`);
  await searching(out, knowledge, root);
  const file = path.join(root, 'changing.ts');
  writeFileSync(file, '// It changes.\n');
  await knowledge.index(root, {});
  appendFileSync(file, '// quokka\n');
  const changedAt = performance.now();
  await knowledge.search({ query: 'quokka', spaces: [root], limit: 1 });
  out(`the first search after a change: ${(performance.now() - changedAt).toFixed(0)} ms`);
  await knowledge.close();
  searchMemory(out, { home, root, embeddings });
}
