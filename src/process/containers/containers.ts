import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type {
  ContainerEngine,
  ContainerRecord,
  ContainerRecords,
  ContainerTarget,
} from '../../core/stores/container-records.ts';
import type { SpawnOptions } from '../spawn-tree.ts';
import { endTarget, markingOptions } from './end-target.ts';
import { hasEnded, thisHolder } from './holder.ts';
import { type ContainerCommand, ENGINE_VARIABLES, readContainerCommand } from './read-command.ts';

/** An engine that is busy starting, or on another machine, takes seconds to answer. */
const END_MS = 10_000;
/**
 * The age at which the record of a container is dropped, in milliseconds, although its engine has not confirmed that it
 * is gone.
 */
const FORGET_MS = 30 * 86_400_000;
/** The exit code of docker and podman where they could not make a container. */
const NOTHING_STARTED = 125;
/** The exit code from which on it names the signal that has ended the process. */
const SIGNALLED = 128;
/** The number of containers that are ended at the same time. */
const SWEEPERS = 4;

/** A process that is the client of a container engine: when it ends, what it has started must be ended too. */
export interface ContainerClient {
  /** The command line, with what makes the container known. */
  readonly options: SpawnOptions;
  /** Ends what the process has started, once the process is gone and its exit code is known. Never throws. */
  end(exitCode: Promise<number | null>): Promise<void>;
  /** The process could not be started. */
  forget(): void;
}

interface Ending {
  readonly engine: ContainerEngine;
  readonly target: ContainerTarget;
  /** The exit code of the client. */
  readonly exitCode: Promise<number | null>;
}

export interface ContainersOptions {
  readonly records: ContainerRecords;
  /** Returns the environment in which an engine runs that an earlier gateway has used: with variables of that gateway. */
  readonly environment: (env: Readonly<Record<string, string>>) => Promise<Readonly<Record<string, string>>>;
  /** The time that the engine may take to end what a process has started, in milliseconds; 10 s if absent. */
  readonly endMs?: number;
  onProblem(error: unknown, message: string): void;
}

/**
 * Knows which containers the gateway's processes have started. A container belongs to its engine: it goes on when the client
 * that has started it is killed.
 */
export class Containers {
  readonly #options: ContainersOptions;
  readonly #endMs: number;
  readonly #holder = thisHolder();
  /** Ends that are under way, by the command line whose container is ended. */
  readonly #ending = new Map<string, Promise<void>>();
  #swept: Promise<void> | undefined;

  constructor(options: ContainersOptions) {
    this.#options = options;
    this.#endMs = options.endMs ?? END_MS;
  }

  /**
   * Returns what must be started in place of a command that runs something in a container, and `undefined` for all other
   * commands. Resolves once what a killed gateway has left is gone, and an earlier container of the same command if there can
   * be only one.
   */
  async admit(options: SpawnOptions): Promise<ContainerClient | undefined> {
    const command = readContainerCommand([options.file, ...options.args]);
    if (command === undefined) return undefined;
    await this.sweep();
    const id = JSON.stringify([options.file, options.args]);
    if (command.kind === 'run' && command.isUnique) await this.#ending.get(id);
    const engine = engineOf(command, options);
    const target = targetOf(command);
    this.#options.records.add(this.#recordOf(engine, target));
    return {
      options: { ...options, args: markedArgs(command, target) },
      end: (exitCode) => this.#endInTurn(id, { engine, target, exitCode }),
      forget: () => this.#options.records.remove(target.mark),
    };
  }

  /** Ends what gateways of this user on this machine have left that were killed. Does so once; never throws. */
  sweep(): Promise<void> {
    this.#swept ??= Promise.race([this.#sweepAll(), delay(this.#endMs, undefined, { ref: false })]);
    return this.#swept;
  }

  async #sweepAll(): Promise<void> {
    const left = this.#options.records.all().filter(({ holder, startedAt }) => hasEnded(holder, startedAt));
    const queue = left.values();
    const work = async () => {
      for (const record of queue) await this.#sweepOne(record);
    };
    await Promise.all(Array.from({ length: SWEEPERS }, work));
  }

  async #sweepOne({ engine, target, startedAt }: ContainerRecord): Promise<void> {
    try {
      const env = await this.#options.environment(engine.env);
      await endTarget({ ...engine, env }, target, { signal: AbortSignal.timeout(this.#endMs) });
      this.#options.records.remove(target.mark);
    } catch (error) {
      const isOld = startedAt < Date.now() - FORGET_MS;
      if (isOld) this.#options.records.remove(target.mark);
      const next = isOld ? 'the gateway does not try again' : 'the next start tries again';
      this.#options.onProblem(error, `containers that a killed gateway has left cannot be ended; ${next}`);
    }
  }

  #endInTurn(id: string, ending: Ending): Promise<void> {
    const end = Promise.all([this.#ending.get(id), this.#end(ending)]).then(() => {
      if (this.#ending.get(id) === end) this.#ending.delete(id);
    });
    this.#ending.set(id, end);
    return end;
  }

  async #end({ engine, target, exitCode: exit }: Ending): Promise<void> {
    const exitCode = await exit;
    try {
      const isSuspect = exitCode === null || exitCode >= SIGNALLED;
      await endTarget(engine, target, { signal: AbortSignal.timeout(this.#endMs), isSuspect });
      this.#options.records.remove(target.mark);
    } catch (error) {
      if (exitCode === NOTHING_STARTED) this.#options.records.remove(target.mark);
      else this.#options.onProblem(error, 'a container may still run; the next start of the gateway tries to end it');
    }
  }

  #recordOf(engine: ContainerEngine, target: ContainerTarget): ContainerRecord {
    const env = Object.fromEntries(Object.entries(engine.env).filter(([name]) => ENGINE_VARIABLES.has(name)));
    return { target, engine: { ...engine, env }, holder: this.#holder, startedAt: Date.now() };
  }
}

function engineOf({ engine }: ContainerCommand, { file, cwd, env }: SpawnOptions): ContainerEngine {
  return { file, args: engine.slice(1), cwd, env };
}

function targetOf(command: ContainerCommand): ContainerTarget {
  const mark = randomBytes(16).toString('hex');
  if (command.kind === 'run') return { kind: 'run', mark, isRemoved: command.isRemoved };
  return { kind: 'exec', mark, container: command.container, user: command.user };
}

function markedArgs({ words, insertAt }: ContainerCommand, target: ContainerTarget): readonly string[] {
  return words.toSpliced(insertAt, 0, ...markingOptions(target)).slice(1);
}
