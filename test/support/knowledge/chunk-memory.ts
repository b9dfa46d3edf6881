// Prints how many bytes chunking 10,000 files leaves in use: chunk-memory.ts TEXT, run with --expose-gc.
import { chunkFile } from '../../../src/knowledge/chunks/chunk-file.ts';

const text = process.argv[2]!;

async function chunk(files: number): Promise<void> {
  for (let file = 0; file < files; file++) await chunkFile('a.js', text);
}

/** Objects, and the memory of WebAssembly, where trees are. It never shrinks, so it is measured in a process of its own. */
function bytesInUse(): number {
  (globalThis as unknown as { gc: () => void }).gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

await chunk(1_000);
const before = bytesInUse();
await chunk(10_000);
process.stdout.write(String(bytesInUse() - before));
