import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { RawClient } from '../../test/support/clients/raw-client.ts';
import { inTime, marked } from './expect.ts';

const EVERY_MS = 10;
const PATIENCE_MS = 10_000;

/** How the calls of a healthy upstream fared, in milliseconds. */
export interface GoodFigures {
  readonly calls: number;
  readonly p99Ms: number;
  readonly worstMs: number;
}

/**
 * Calls a healthy upstream every 10 ms while `work` is done; not one of these calls may fail.
 * @throws AssertionError when one was answered wrongly, or not within ten seconds
 */
export async function besideGood<T>(
  client: Pick<RawClient, 'callText'>,
  work: () => Promise<T>,
  tool = 'good_echo',
): Promise<{ value: T; good: GoodFigures }> {
  const latencies: number[] = [];
  const failures: string[] = [];
  const open = new Set<Promise<void>>();
  let going = true;
  const call = async (number: number) => {
    const text = marked(`good ${number}`);
    const started = performance.now();
    try {
      const answer = await inTime(`good call ${number}`, PATIENCE_MS, client.callText(tool, { text }));
      if (answer !== text) failures.push(answer);
    } catch (error) {
      failures.push(String(error));
    }
    latencies.push(performance.now() - started);
  };
  const calling = (async () => {
    for (let number = 0; going; number++) {
      const started = call(number);
      open.add(started);
      void started.then(() => open.delete(started));
      await delay(EVERY_MS);
    }
    await Promise.all(open);
  })();
  try {
    const value = await work();
    going = false;
    await calling;
    assert.deepEqual(failures.slice(0, 3), [], `${failures.length} of ${latencies.length} good calls failed`);
    return { value, good: figuresOf(latencies) };
  } finally {
    going = false;
  }
}

function figuresOf(latencies: number[]): GoodFigures {
  latencies.sort((a, b) => a - b);
  return {
    calls: latencies.length,
    p99Ms: latencies[Math.max(0, Math.ceil(latencies.length * 0.99) - 1)] ?? 0,
    worstMs: latencies.at(-1) ?? 0,
  };
}
