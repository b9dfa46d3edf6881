import { setTimeout as pause } from 'node:timers/promises';
import { whyNotPrivate } from '../../core/files/private-folder.ts';
import { makeFolder } from '../../core/folders/make-folder.ts';
import type { Introduction } from '../../core/handshake/introduce.ts';
import type { Environment } from '../../core/settings/environment.ts';
import { takeFileLock } from '../../store/file-lock.ts';
import { connectToDaemon, type RunningDaemon } from '../serving/daemon-record.ts';
import { runFolder, type SharedPaths, sharedPaths } from '../settings/paths.ts';
import { VERSION } from '../version.ts';
import type { Launch } from './launch.ts';
import { keySecret, type SharedIdentity, sharedKey } from './shared-key.ts';
import { differences, type StartContext, startContext } from './start-context.ts';
import { failureSince, noteFailure, StartFailure } from './start-failure.ts';

export interface SharedRequest extends SharedIdentity {
  /** `$VIADUCT_HOME`. */
  readonly home: string;
  readonly env: Environment;
  /** Program and arguments of Viaduct. */
  readonly program: Launch['program'];
}

/** A client gets a gateway of its own, and why. */
export interface PrivateInstead {
  readonly reason: string;
  /** The level at which the log says so: `warn` if the user should do something about it. */
  readonly level: 'warn' | 'info' | 'debug';
}

/** Thrown if the config has changed since the client has read it: it has to be read again. */
export class ConfigChangedError extends Error {}

/** The time for which a client tries to get a shared gateway, in milliseconds. */
const PATIENCE_MS = 90_000;
const PAUSE_MS = 20;

/**
 * Connects to the shared gateway of a client, which is started if it does not run: once, however many clients ask at the same time.
 * It may be called again when that gateway has ended.
 * @returns the connection, or why the client needs a gateway of its own
 * @throws ConfigChangedError; StartFailure when the gateway cannot be started; all clients that waited for it get the same error
 */
export async function findOrStartGateway(request: SharedRequest): Promise<RunningDaemon | PrivateInstead> {
  let key: string;
  try {
    makeOwnFolder(runFolder(request.home));
    key = sharedKey(await keySecret(request.home), request, request.env);
    const { socketFolder } = sharedPaths(request.home, key);
    if (process.platform !== 'win32') makeOwnFolder(socketFolder);
  } catch (error) {
    return { reason: (error as Error).message, level: 'warn' };
  }
  return new Search(request, key).run();
}

/** Looks for a gateway until there is one. */
class Search {
  readonly #request: SharedRequest;
  readonly #key: string;
  readonly #paths: SharedPaths;
  readonly #context: StartContext;
  readonly #introduction: Introduction;
  /** Failures before this moment are those of others. */
  readonly #since = Date.now();

  constructor(request: SharedRequest, key: string) {
    this.#request = request;
    this.#key = key;
    this.#paths = sharedPaths(request.home, key);
    this.#context = startContext(request.env);
    this.#introduction = introductionFrom(request.env);
  }

  async run(): Promise<RunningDaemon | PrivateInstead> {
    const until = performance.now() + PATIENCE_MS;
    while (performance.now() < until) {
      const found = (await this.#find()) ?? (await this.#startUnlessOthersDo());
      if (found !== undefined) return found;
      await pause(PAUSE_MS + Math.random() * PAUSE_MS);
    }
    return { reason: `no shared gateway could be reached or started: see ${this.#paths.log}`, level: 'warn' };
  }

  async #find(): Promise<RunningDaemon | PrivateInstead | undefined> {
    const running = await connectToDaemon(this.#paths, this.#introduction);
    if (running === undefined) return undefined;
    const { version, shared } = running.record;
    const others = shared === undefined ? undefined : differences(shared.context, this.#context);
    if (version === VERSION && others?.length === 0) return running;
    running.socket.destroy();
    if (version !== VERSION || others === undefined) return undefined;
    return { reason: `the shared gateway was started in other surroundings: ${others.join(', ')}`, level: 'info' };
  }

  /** Returns `undefined` if somebody else is starting it, or if it was started and can be looked for now. */
  async #startUnlessOthersDo(): Promise<PrivateInstead | undefined> {
    const failure = failureSince(this.#paths.failure, this.#since);
    if (failure !== undefined) throw new StartFailure(failure);
    let release: (() => void) | undefined;
    try {
      release = takeFileLock(this.#paths.start);
    } catch (error) {
      return { reason: (error as Error).message, level: 'warn' };
    }
    if (release === undefined) return undefined;
    try {
      return await this.#start();
    } finally {
      release();
    }
  }

  async #start(): Promise<undefined> {
    const running = await connectToDaemon(this.#paths);
    running?.socket.destroy();
    if (running !== undefined) return undefined;
    // Most clients find a gateway, and need nothing that starts processes.
    const { launch } = await import('./launch.ts');
    const { error, hasOtherKey } = await launch({ ...this.#request, key: this.#key });
    if (hasOtherKey === true) throw new ConfigChangedError('the config was changed during the start');
    if (error === undefined) return undefined;
    const text = `the shared gateway could not be started: ${error}`;
    noteFailure(this.#paths.failure, text);
    throw new StartFailure(text);
  }
}

/** Returns what a client with this environment tells the gateway of itself. */
export function introductionFrom(env: Environment): Introduction {
  const sshAuthSock = env.SSH_AUTH_SOCK;
  return sshAuthSock === undefined || sshAuthSock === '' ? {} : { sshAuthSock };
}

/** @throws Error if others than this user could put files into the folder */
function makeOwnFolder(folder: string): void {
  makeFolder(folder, 0o700);
  const problem = whyNotPrivate(folder);
  if (problem !== undefined) throw new Error(`${folder} cannot be used: ${problem}`);
}
