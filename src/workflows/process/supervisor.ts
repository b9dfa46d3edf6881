import { setTimeout as delay } from 'node:timers/promises';
import type { Recording } from '../../builds/recording.ts';
import { GatewayError } from '../../core/errors.ts';
import { ManagedProcess, type ProcessEnd, type ProcessFacts } from '../../process/managed/managed-process.ts';
import { exitCodeOf } from '../../process/managed/process-words.ts';
import type { Reaper } from '../../process/reaper.ts';
import { type SpawnedTree, type SpawnOptions, spawnTree } from '../../process/spawn-tree.ts';
import type { WorkflowContext } from '../define.ts';
import { type LaunchRequest, launcher, processFailed } from './launch.ts';
import type { ProcessOptions } from './options.ts';
import { ProcessRegistry } from './process-registry.ts';

/**
 * The share of the gateway's time that may go into reading what processes write, all of them together. It is read in short turns,
 * so that others do not wait for it; this is for the machine's sake.
 */
const READING_SHARE = 0.6;
/** The time that the gateway waits for the last output of a build when it ends, in milliseconds. */
const LAST_OUTPUT_MS = 1_000;

type Needed = 'options' | 'env' | 'loginPath' | 'reaper' | 'live' | 'log';

export interface SupervisorOptions extends Pick<WorkflowContext<ProcessOptions>, Needed> {
  /** Number of the first process. */
  readonly firstNumber: number;
  /** A process was started or is forgotten. */
  readonly onListChanged: () => void;
  /** A process has written something, or has ended: then for the last time. */
  readonly onOutput: (process: ManagedProcess) => void;
}

export interface StartOptions {
  readonly owner: string;
  readonly signal: AbortSignal;
  /** Begins to record it as a build, once it is known that it may be started. */
  readonly record?: (() => Promise<Recording>) | undefined;
}

interface Beginning extends Omit<StartOptions, 'record'> {
  readonly recording: Recording | undefined;
}

/** The processes that clients have started: those that run, and the last of those that have ended. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #launch: (request: LaunchRequest) => Promise<SpawnOptions>;
  readonly #processes: ProcessRegistry;
  /** Recordings of the processes that are builds. */
  readonly #recordings = new WeakMap<ManagedProcess, Recording>();
  #nextNumber: number;
  #isStopped = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#processes = new ProcessRegistry({
      isShared: options.options.share === 'gateway',
      keepEnded: options.options.keepEnded,
      onChanged: options.onListChanged,
    });
    this.#nextNumber = options.firstNumber;
    this.#launch = launcher(options);
  }

  get nextNumber(): number {
    return this.#nextNumber;
  }

  /** @throws GatewayError */
  async start(request: LaunchRequest, { owner, signal, record }: StartOptions): Promise<ManagedProcess> {
    const spawn = await this.#launch(request);
    this.#requireRoom(signal);
    const recording = await record?.();
    try {
      return await this.#begin(spawn, request, { owner, signal, recording });
    } catch (error) {
      await recording?.end({ status: 'failed', note: (error as Error).message });
      throw error;
    }
  }

  /** Returns the process with this id, if the client may know about it. */
  find(id: string, client: string): ManagedProcess | undefined {
    return this.#processes.find(id, client);
  }

  /** @throws GatewayError */
  get(id: string, client: string): ManagedProcess {
    const process = this.find(id, client);
    if (process === undefined) throw processFailed(`There is no process ${id} (any more): process_list shows yours`);
    return process;
  }

  /** Returns what the client may know about, the oldest first. */
  list(client: string): readonly ManagedProcess[] {
    return this.#processes.visibleTo(client);
  }

  /** Returns what all clients may know about. */
  shared(): readonly ManagedProcess[] {
    return this.#processes.shared();
  }

  onSessionEnded(client: string): void {
    if (this.#options.options.share === 'gateway') return;
    for (const process of this.list(client)) {
      const forget = () => this.#processes.forget(process);
      process.stop().then(forget, forget);
    }
  }

  /** Ends all of them. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#processes.running().map((process) => this.#leave(process)));
  }

  async #leave(process: ManagedProcess): Promise<void> {
    await process.leave();
    const recording = this.#recordings.get(process);
    if (recording === undefined) return;
    await Promise.race([process.ended, delay(LAST_OUTPUT_MS, undefined, { ref: false })]);
    await recording.end({
      status: 'cancelled',
      note: 'the build was cancelled, because the gateway ended or got another config',
    });
  }

  async #begin(
    spawn: SpawnOptions,
    { command, args, folder }: LaunchRequest,
    options: Beginning,
  ): Promise<ManagedProcess> {
    const { owner, signal, recording } = options;
    this.#requireRoom(signal);
    const tree = spawned(spawn, command, this.#options.reaper);
    // Without a number it does not run, and the reason follows.
    if (tree.child.pid === undefined) await tree.running.catch((error) => notStarted(command, error));
    const id = `proc-${this.#nextNumber++}`;
    const facts: ProcessFacts = { id, owner, command, args, dir: folder.realPath, buildId: recording?.id };
    return this.#supervise(tree, facts, recording);
  }

  #requireRoom(signal: AbortSignal): void {
    // No client that could end it would know about it.
    if (signal.aborted || this.#isStopped) throw new GatewayError('CALL_CANCELLED', 'The call was cancelled');
    const { maxProcesses } = this.#options.options;
    if (this.#processes.running().length < maxProcesses) return;
    const text = `${maxProcesses} processes are running already (workflows.process.maxProcesses): stop one first`;
    throw new GatewayError('OVERLOADED', text, { effect: 'none' });
  }

  #supervise(tree: SpawnedTree, facts: ProcessFacts, recording: Recording | undefined): ManagedProcess {
    const { options, live } = this.#options;
    const { id } = facts;
    const process: ManagedProcess = new ManagedProcess(tree, {
      facts,
      graceMs: options.graceMs,
      output: {
        capacity: options.outputBytes,
        share: () => READING_SHARE / Math.max(1, this.#processes.busy()),
        onText: (data, stream) => {
          this.#options.onOutput(process);
          const seen = live.publish({ channel: `process:${id}`, type: 'process_output', processId: id, data });
          return bothOf(seen, recording?.write(data, stream));
        },
      },
      onEnded: (end, isTreeGone) => {
        this.#onEnded(process, end, isTreeGone);
        return recording?.endWith(process, end);
      },
    });
    if (recording !== undefined) this.#recordings.set(process, recording);
    this.#processes.add(process);
    return process;
  }

  #onEnded(process: ManagedProcess, end: ProcessEnd, isTreeGone: boolean): void {
    const { reaper, live, log } = this.#options;
    const { id } = process.facts;
    if (isTreeGone) reaper.remove(process.pid);
    else log.warn({ process: id, pid: process.pid }, 'what a process has started cannot be ended');
    const data = { status: end.name, exitCode: exitCodeOf(end) };
    void live.publish({ channel: `process:${id}`, type: 'process_status', processId: id, data });
    this.#options.onOutput(process);
    this.#processes.forgetOldest();
  }
}

/** Resolves when both have; `undefined` if neither has to be waited for. */
function bothOf(one: Promise<void> | undefined, other: Promise<void> | undefined): Promise<void> | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Promise.all([one, other]).then(() => undefined);
}

function spawned(options: SpawnOptions, command: string, reaper: Reaper): SpawnedTree {
  try {
    return spawnTree(options, reaper);
  } catch (error) {
    return notStarted(command, error);
  }
}

function notStarted(command: string, error: unknown): never {
  throw processFailed(`"${command}" could not be started: ${(error as Error).message}`, error);
}
