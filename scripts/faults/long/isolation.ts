/**
 * Whether one upstream's misbehaviour can be felt in the calls of another: windows without and with the fault by turns,
 * in one gateway and one process.
 */

import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { Scene } from '../scene.ts';

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

interface Answer {
  readonly id: number;
  readonly result?: { readonly content?: readonly { readonly text: string }[] };
}

/** Keeps nothing of what it is sent but the answers it waits for: a flood must not slow down who measures. */
class LeanClient {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #nextId = 1;

  constructor(child: ChildProcess) {
    this.#child = child;
    createInterface({ input: child.stdout! }).on('line', (line) => this.#onLine(line));
  }

  request(method: string, params: unknown): Promise<Answer> {
    const id = this.#nextId++;
    this.#child.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  async callText(name: string, args: unknown): Promise<string> {
    const answer = await this.request('tools/call', { name, arguments: args });
    return answer.result?.content?.[0]?.text ?? JSON.stringify(answer);
  }

  #onLine(line: string): void {
    if (line.includes('"method"')) return;
    const message = JSON.parse(line) as Answer;
    this.#waiting.get(message.id)?.(message);
    this.#waiting.delete(message.id);
  }
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
    const client = new LeanClient(child);
    await client.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x' } });
    child.stdin!.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    await client.request('tools/list', {});
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

async function start(client: LeanClient, kind: string): Promise<() => Promise<void>> {
  if (kind !== 'crash') {
    await client.callText('bad_flood', { on: true });
    return async () => void (await client.callText('bad_flood', { on: false }));
  }
  let isOn = true;
  const crashing = (async () => {
    while (isOn) {
      await client.request('viaduct/sync', { upstream: 'bad' });
      await delay(50);
    }
  })();
  return () => {
    isOn = false;
    return crashing;
  };
}

async function callsFor(client: LeanClient, ms: number): Promise<Window> {
  const times: number[] = [];
  let failures = 0;
  const end = performance.now() + ms;
  while (performance.now() < end) {
    const before = performance.now();
    const answer = await client.callText('good_echo', { text: 'hello' });
    times.push(performance.now() - before);
    if (!answer.endsWith('hello')) failures++;
    await delay(PAUSE_MS);
  }
  times.sort((a, b) => a - b);
  return {
    p99: times[Math.floor(times.length * 0.99)] ?? times.at(-1)!,
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

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}
