import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { type Scene, type StdioGateway, until } from '../scene.ts';
import { type Found, processesWith } from './processes.ts';

/** So many calls are under way at one time while the processes are started. */
const STARTING = 16;
const UP_WITHIN_MS = 60_000;
const GONE_WITHIN_MS = 5_000;
const POLL_MS = 50;

/**
 * The processes that an agent may start: half of them ignore SIGTERM, half have a second process, which half of those
 * send out of the group.
 */
const SCRIPTS: readonly { readonly script: string; readonly processes: number }[] = [
  { script: 'exec sleep 600', processes: 1 },
  { script: "trap '' TERM; sleep 600 & wait; sleep 600", processes: 2 },
  { script: "trap '' TERM; exec sleep 600", processes: 1 },
  { script: 'setsid sh -c "trap \'\' TERM; exec sleep 600" & exec sleep 600', processes: 2 },
];

export interface TreesOutcome {
  readonly started: number;
  readonly processes: number;
  /** From the kill to the last process gone, in milliseconds; `undefined` where some stayed. */
  readonly goneAfterMs: number | undefined;
  readonly survivors: readonly Found[];
}

/** Starts processes through the workflow `process`, kills the gateway with SIGKILL, and looks for what is left. */
export async function killWithProcesses(scene: Scene, count: number): Promise<TreesOutcome> {
  const token = `vtrees${process.pid.toString(36)}x${Date.now().toString(36)}`;
  const config = scene.config({
    enabledWorkflows: ['process'],
    workspace: { root: scene.folder },
    workflows: { process: { maxProcesses: count } },
  });
  const gateway = await scene.stdio(config);
  await startAll(gateway, count, token);
  const processes = Array.from({ length: count }, (_, index) => kindOf(index).processes).reduce((a, b) => a + b, 0);
  await until(`${processes} processes`, () => processesWith(token).length >= processes, UP_WITHIN_MS);
  const exited = once(gateway.child, 'exit');
  const from = performance.now();
  gateway.child.kill('SIGKILL');
  const goneAfterMs = await gone(token, from);
  const survivors = goneAfterMs === undefined ? processesWith(token) : [];
  for (const { pid } of survivors) killQuietly(pid);
  await exited;
  return { started: count, processes, goneAfterMs, survivors };
}

async function startAll({ client }: StdioGateway, count: number, token: string): Promise<void> {
  let next = 0;
  const starter = async () => {
    for (let index = next++; index < count; index = next++) {
      const args = ['-c', kindOf(index).script];
      const { structuredContent, content } = await client.call('process_start', {
        command: '/bin/sh',
        args,
        env: [`FAULT_RUN=${token}`],
      });
      if (structuredContent === undefined) throw new Error(`process ${index} was not started: ${content?.[0]?.text}`);
    }
  };
  await Promise.all(Array.from({ length: STARTING }, starter));
}

function kindOf(index: number): (typeof SCRIPTS)[number] {
  return SCRIPTS[index % SCRIPTS.length]!;
}

async function gone(token: string, from: number): Promise<number | undefined> {
  for (;;) {
    const left = processesWith(token).length;
    const after = performance.now() - from;
    if (left === 0) return after;
    if (after > GONE_WITHIN_MS) return undefined;
    await delay(POLL_MS);
  }
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
