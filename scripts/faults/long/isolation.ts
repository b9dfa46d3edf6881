/**
 * Measures whether one upstream's misbehaviour affects the calls of another: windows without and with the fault by turns,
 * in one gateway and one process.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { median, percentile } from '../../bench/measure.ts';
import { Scene } from '../scene.ts';
import { LineClient } from './line-client.ts';

export const ISOLATION_KINDS = [
  'crash',
  'stdout',
  'stderr',
  'notifications',
  'progress',
  'answers',
  'lists',
  'requests',
  'line',
];
const PAUSE_MS = 10;
/** The fault may cost a fifth, or five milliseconds where a fifth is less. */
const FACTOR = 1.2;
const SLACK_MS = 5;

async function callText(client: LineClient, name: string, args: object): Promise<string> {
  const answer = await client.request('tools/call', JSON.stringify({ name, arguments: args }));
  const result = answer?.message.result as { content?: readonly { text: string }[] } | undefined;
  return result?.content?.[0]?.text ?? JSON.stringify(answer?.message);
}

interface Window {
  readonly p99: number;
  readonly max: number;
  readonly calls: number;
  readonly failures: number;
}

export interface Isolation {
  readonly kind: string;
  readonly baseP99: number;
  readonly faultP99: number;
  readonly faultMax: number;
  readonly failures: number;
  readonly calls: number;
  readonly holds: boolean;
}

/** Measures one fault over `windows` pairs of windows of `ms` each. */
export async function measureIsolation(kind: string, windows: number, ms: number): Promise<Isolation> {
  const scene = new Scene();
  try {
    const { child } = scene.startStdio({
      good: scene.fixture('talkative'),
      bad: scene.fixture('flooder', [`--kind=${kind}`]),
    });
    const client = new LineClient(child.stdout!, child.stdin!);
    await client.initialize();
    await client.request('tools/list');
    await callsFor(client, 500); // warm-up
    const base: Window[] = [];
    const fault: Window[] = [];
    for (let pair = 0; pair < windows; pair++) {
      base.push(await callsFor(client, ms));
      const stop = await start(client, kind);
      fault.push(await callsFor(client, ms));
      await stop();
    }
    return summary(kind, base, fault);
  } finally {
    await scene.close();
  }
}

async function start(client: LineClient, kind: string): Promise<() => Promise<void>> {
  if (kind !== 'crash') {
    await callText(client, 'bad_flood', { on: true });
    return async () => void (await callText(client, 'bad_flood', { on: false }));
  }
  let isOn = true;
  const crashing = (async () => {
    while (isOn) {
      await client.request('viaduct/sync', '{"upstream":"bad"}');
      await delay(50);
    }
  })();
  return () => {
    isOn = false;
    return crashing;
  };
}

async function callsFor(client: LineClient, ms: number): Promise<Window> {
  const times: number[] = [];
  let failures = 0;
  const end = performance.now() + ms;
  while (performance.now() < end) {
    const before = performance.now();
    const answer = await callText(client, 'good_echo', { text: 'hello' });
    times.push(performance.now() - before);
    if (!answer.endsWith('hello')) failures++;
    await delay(PAUSE_MS);
  }
  times.sort((a, b) => a - b);
  return {
    p99: percentile(times, 0.99),
    max: times.at(-1)!,
    calls: times.length,
    failures,
  };
}

function summary(kind: string, base: readonly Window[], fault: readonly Window[]): Isolation {
  const baseP99 = median(base.map(({ p99 }) => p99));
  const faultP99 = median(fault.map(({ p99 }) => p99));
  const failures = [...base, ...fault].reduce((sum, window) => sum + window.failures, 0);
  return {
    kind,
    baseP99,
    faultP99,
    faultMax: Math.max(...fault.map(({ max }) => max)),
    failures,
    calls: fault.reduce((sum, { calls }) => sum + calls, 0),
    holds: failures === 0 && faultP99 <= Math.max(baseP99 * FACTOR, baseP99 + SLACK_MS),
  };
}
