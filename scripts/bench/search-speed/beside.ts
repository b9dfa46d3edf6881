import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openKnowledge } from '../../../src/knowledge/index/open-knowledge.ts';
import { median, runBlock } from '../measure.ts';
import { TARGETS } from '../targets.ts';

const BLOCK_MS = 1_500;
const BLOCKS = 6;
/** As many as index: two that parse, and one that writes. */
const LOOPS = 3;
/** As nice as the threads that index. */
const NICENESS = 10;
const CALL = (prefix: string) => `{"name":"${prefix}echo","arguments":{"text":"a usual line of text"}}`;

/** Compares calls through a gateway while a folder is indexed with calls beside equally nice busy loops. */
export async function measureBeside(out: (line?: string) => void, root: string): Promise<void> {
  const target = TARGETS.find(({ name }) => name.startsWith('gateway'))!;
  const client = await target.connect(5);
  const blocks = async (): Promise<number> => {
    const times: number[] = [];
    for (let block = 0; block < BLOCKS; block++)
      times.push((await runBlock(client, CALL(target.prefix), 1, BLOCK_MS)).p99);
    return median(times);
  };
  try {
    await blocks();
    const loops = await besideLoops(blocks);
    const index = await besideIndex(blocks, root);
    out(`calls through the ${target.name}, p99: ${(loops / 1_000).toFixed(2)} ms beside ${LOOPS} busy loops,`);
    out(`  ${(index / 1_000).toFixed(2)} ms while indexing: ${(index / loops).toFixed(2)}x`);
  } finally {
    await client.close();
  }
}

async function besideLoops(blocks: () => Promise<number>): Promise<number> {
  const loops = Array.from({ length: LOOPS }, () =>
    spawn('nice', ['-n', String(NICENESS), process.execPath, '-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  try {
    return await blocks();
  } finally {
    for (const loop of loops) loop.kill('SIGKILL');
  }
}

async function besideIndex(blocks: () => Promise<number>, root: string): Promise<number> {
  const home = mkdtempSync(path.join(tmpdir(), 'viaduct-beside-'));
  const knowledge = openKnowledge({ home });
  const run = knowledge.index(root, {});
  try {
    return await blocks();
  } finally {
    await run;
    await knowledge.close();
    rmSync(home, { recursive: true, force: true });
  }
}
