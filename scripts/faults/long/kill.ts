import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { randomFrom } from '../../../fixtures/data/mutations.ts';
import { type Entry, Scene, type StdioGateway, until } from '../scene.ts';
import { commandsWith, type Found, processesWith } from './processes.ts';

const KINDS = ['deaf', 'grandchild', 'setsid', 'wrapped', 'stopped', 'blocked'] as const;
/** Three of the six kinds have a second process each. */
const PROCESSES = 9;
const UP_WITHIN_MS = 20_000;
/** About as long as six upstreams take to start. */
const EARLY_MS = 500;
/** The kernel and a loaded machine need a moment to take a process away; what is found later is a survivor. */
const POLL_MS = 50;

export type Ending = 'SIGKILL' | 'SIGTERM' | 'SIGINT' | 'SIGHUP' | 'EOF';

const GRACE_MS: Readonly<Record<Ending, number>> = {
  SIGKILL: 3_000,
  SIGTERM: 6_000,
  SIGINT: 6_000,
  SIGHUP: 6_000,
  EOF: 6_000,
};

export interface KillPlan {
  /** How often each ending is tried. */
  readonly cycles: Readonly<Partial<Record<Ending, number>>>;
  /** Share of the kill -9 cycles that hit the gateway while it still starts its upstreams, in 0 … 1. */
  readonly early: number;
  readonly parallel: number;
  readonly seed: number;
}

interface Cycle {
  readonly ending: Ending;
  readonly early: boolean;
  /** Milliseconds after the first process of an upstream, for early ones. */
  readonly atMs: number;
  readonly token: string;
}

export interface CycleOutcome {
  readonly cycle: Cycle;
  /** From the end that was asked for to the last process gone, in milliseconds; `undefined` where some stayed. */
  readonly goneAfterMs: number | undefined;
  readonly survivors: readonly Found[];
  readonly exitCode: number | null;
  /** Its faults, in one line each. */
  readonly problems: readonly string[];
}

/** Ends gateways with six hostile upstreams in every way, several at a time, and looks for what is left. */
export async function endGateways(plan: KillPlan, onOutcome: (outcome: CycleOutcome) => void): Promise<CycleOutcome[]> {
  const outcomes: CycleOutcome[] = [];
  const waiting = cyclesOf(plan);
  const worker = async () => {
    const scene = new Scene();
    try {
      for (let cycle = waiting.shift(); cycle !== undefined; cycle = waiting.shift()) {
        const outcome = await endOne(scene, cycle);
        outcomes.push(outcome);
        onOutcome(outcome);
      }
    } finally {
      await scene.close();
    }
  };
  await Promise.all(Array.from({ length: plan.parallel }, worker));
  return outcomes;
}

function cyclesOf({ cycles, early, seed }: KillPlan): Cycle[] {
  const random = randomFrom(seed);
  const run = `vlong${process.pid.toString(36)}x${Date.now().toString(36)}`;
  const list = Object.entries(cycles).flatMap(([ending, count]) =>
    Array.from({ length: count }, (_, index) => ({
      ending: ending as Ending,
      early: ending === 'SIGKILL' && index < Math.round(count * early),
      atMs: random() * EARLY_MS,
    })),
  );
  return list.map((cycle, index) => ({ ...cycle, token: `${run}c${index}e` }));
}

async function endOne(scene: Scene, cycle: Cycle): Promise<CycleOutcome> {
  const { token, ending } = cycle;
  const gateway = scene.startStdio(upstreams(scene, token), { VIADUCT_FAULT_RUN: token });
  const exited = once(gateway.child, 'exit') as Promise<[number | null]>;
  const problems: string[] = [];
  const wanted = cycle.early ? 1 : PROCESSES;
  if (!(await areUp(token, wanted))) problems.push(`only ${commandsWith(token).length} of ${wanted} came up`);
  if (cycle.early) await delay(cycle.atMs);
  const from = performance.now();
  end(gateway, ending);
  const goneAfterMs = await gone(token, GRACE_MS[ending]);
  const survivors = goneAfterMs === undefined ? processesWith(token) : [];
  for (const { pid, command } of survivors) {
    problems.push(`left after ${Math.round(performance.now() - from)} ms: ${command} (${pid})`);
    killQuietly(pid);
  }
  const [exitCode] = await exited;
  if (ending !== 'SIGKILL' && exitCode !== 0) problems.push(`exit code ${exitCode} after ${ending}`);
  return { cycle, goneAfterMs, survivors, exitCode, problems };
}

function upstreams(scene: Scene, token: string): Record<string, Entry> {
  const survivor = path.resolve('dist-fixtures/survivor.js');
  const env = { FAULT_RUN: token };
  return Object.fromEntries(
    KINDS.map((kind) => {
      const args = [`--kind=${kind}`, `--token=${token}`];
      if (kind !== 'wrapped') return [kind, scene.fixture('survivor', args, { env })];
      const line = `${process.execPath} ${survivor} ${args.join(' ')}; true`;
      return [kind, { command: '/bin/sh', args: ['-c', line], env }];
    }),
  );
}

async function areUp(token: string, count: number): Promise<boolean> {
  try {
    await until(`${count} processes`, () => commandsWith(token).length >= count, UP_WITHIN_MS);
    return true;
  } catch {
    return false;
  }
}

function end({ child, client }: StdioGateway, ending: Ending): void {
  if (ending === 'EOF') client.end();
  else child.kill(ending);
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

async function gone(token: string, withinMs: number): Promise<number | undefined> {
  const from = performance.now();
  for (;;) {
    const after = performance.now() - from;
    if (processesWith(token).length === 0) return after;
    if (after > withinMs) return undefined;
    await delay(POLL_MS);
  }
}
