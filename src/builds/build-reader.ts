import { stat } from 'node:fs/promises';
import { GatewayError } from '../core/errors.ts';
import { isRunning, ownStamp, stampIn, stampText } from '../core/processes/process-stamp.ts';
import { isRunningHere } from '../core/processes/running-builds.ts';
import type { Build, BuildQuery, BuildStore } from '../core/stores/build-store.ts';
import { thisMachine } from '../store/this-machine.ts';
import { buildFile } from './log/build-files.ts';
import { noteLine } from './log/notes.ts';
import { newestLines } from './log/read-log.ts';

/**
 * The silence, in milliseconds, after which a build whose process cannot be seen counts as ended. A running one gives a
 * sign each minute.
 */
const SILENT_MS = 300_000;

export interface ReaderOptions {
  /** The folder of the gateway's own files. */
  readonly home: string;
  readonly store: BuildStore;
}

/** Reads recorded builds, of all gateways that use the database. */
export class BuildReader {
  readonly #options: ReaderOptions;

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  /** Returns a build as it is now; `undefined` if none has the id. */
  async get(id: string): Promise<Build | undefined> {
    const build = await this.#options.store.get(id);
    return build === undefined ? undefined : this.#settled(build);
  }

  /** Returns builds as they are now, newest first. */
  async list(query: BuildQuery): Promise<readonly Build[]> {
    return Promise.all((await this.#options.store.list(query)).map((build) => this.#settled(build)));
  }

  /** Returns the newest lines of a build's log, at most `tail`. @throws GatewayError if the log is not here */
  async logs({ id, machine, host, logFault }: Build, tail: number): Promise<readonly string[]> {
    const { home } = this.#options;
    if (machine !== thisMachine(home).id) throw elsewhere(id, host);
    if (logFault === undefined) return linesOf(id, buildFile(home, id), tail);
    // If the disk is full from the beginning on, there may be no file.
    const lines = await newestLines(buildFile(home, id), tail).catch(() => []);
    return [...lines, noteLine(logFault).trimEnd()].slice(-tail);
  }

  /** Returns a build with its end: a build whose gateway was killed ends when it is read. */
  async #settled(build: Build): Promise<Build> {
    if (build.status !== 'running' || (await this.#mayRun(build))) return build;
    const endedMs = (await this.#lastSign(build)) ?? Date.now();
    await this.#options.store.end(build.id, { status: 'lost', endedMs });
    return (await this.#options.store.get(build.id)) ?? { ...build, status: 'lost', endedMs };
  }

  async #mayRun(build: Build): Promise<boolean> {
    if (isRunningHere(build.id)) return true;
    if (build.runner === stampText(ownStamp())) return false;
    const stamp = build.runner === undefined ? undefined : stampIn(build.runner);
    const runs = stamp === undefined ? undefined : isRunning(stamp);
    if (runs !== undefined) return runs;
    // Nothing can be known of other machines; on this one it may have been before the last start, or in a container.
    if (build.machine !== thisMachine(this.#options.home).id) return true;
    return Date.now() - ((await this.#lastSign(build)) ?? build.startedMs) < SILENT_MS;
  }

  /** Returns when the log was written last, in milliseconds since 1970. */
  async #lastSign({ id, machine }: Build): Promise<number | undefined> {
    const { home } = this.#options;
    if (machine !== thisMachine(home).id) return undefined;
    try {
      return Math.round((await stat(buildFile(home, id))).mtimeMs);
    } catch {
      return undefined; // it has written nothing, or its log is gone
    }
  }
}

async function linesOf(id: string, file: string, tail: number): Promise<readonly string[]> {
  try {
    return await newestLines(file, tail);
  } catch (error) {
    const message = `The log of the build ${id} cannot be read: ${(error as Error).message}`;
    throw new GatewayError('FILE_FAILED', message, { effect: 'none', cause: error });
  }
}

function elsewhere(id: string, host: string): GatewayError {
  const message = `The log of the build ${id} is on another machine, ${host}: builds share the database, but logs stay where the build ran. Ask the gateway there`;
  return new GatewayError('FILE_FAILED', message, { effect: 'none' });
}
