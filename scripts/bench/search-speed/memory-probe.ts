// Prints the resident memory in MiB before and after 300 searches: memory-probe.ts HOME ROOT QUERIES-AS-JSON
import { openKnowledge } from '../../../src/knowledge/index/open-knowledge.ts';

const SEARCHES = 300;
const MEBIBYTE = 2 ** 20;
const [, , home, root, queries] = process.argv;
const asked = JSON.parse(queries!) as readonly string[];
const knowledge = openKnowledge({ home: home! });
const before = process.memoryUsage.rss() / MEBIBYTE;
for (let count = 0; count < SEARCHES; count++)
  await knowledge.search({ query: asked[count % asked.length]!, spaces: [root!], limit: 10 });
process.stdout.write(`${before} ${process.memoryUsage.rss() / MEBIBYTE}`);
await knowledge.close();
