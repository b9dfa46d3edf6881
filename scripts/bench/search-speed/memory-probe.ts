// Prints the resident memory in MiB before and after searches: memory-probe.ts JSON
import type { EmbeddingsOptions } from '../../../src/core/settings/embeddings-options.ts';
import { openKnowledge } from '../../../src/knowledge/index/open-knowledge.ts';

interface Probe {
  readonly home: string;
  readonly root: string;
  readonly embeddings?: EmbeddingsOptions;
  readonly queries: readonly string[];
  readonly searches: number;
}

const MEBIBYTE = 2 ** 20;
const { home, root, embeddings, queries, searches } = JSON.parse(process.argv[2]!) as Probe;
const knowledge = openKnowledge({ home, embeddings });
const before = process.memoryUsage.rss() / MEBIBYTE;
for (let count = 0; count < searches; count++)
  await knowledge.search({ query: queries[count % queries.length]!, spaces: [root], limit: 10 });
process.stdout.write(`${before} ${process.memoryUsage.rss() / MEBIBYTE}`);
await knowledge.close();
