import type { BuildRecorder } from '../../../builds/build-recorder.ts';
import { BuildRun } from '../../../builds/run-build.ts';
import { GatewayError } from '../../../core/errors.ts';
import { ImpossibleError } from '../../../core/impossible-error.ts';
import { environmentFor } from '../../../process/environment.ts';
import { findCommand } from '../../../process/find-command.ts';
import type { SpawnOptions } from '../../../process/spawn-tree.ts';
import type { Identities } from '../../../projects/identity/resolve-project.ts';
import { sandboxOf, type WorkspaceFolder } from '../../../workspace/sandbox.ts';
import { buildPlace } from '../../build-place.ts';
import type { CallContext, WorkflowContext } from '../../define.ts';
import type { BuildCommand, BuildsOptions } from './options.ts';

type Needed = 'reaper' | 'loginPath' | 'log' | 'env' | 'workspace' | 'guard';

export interface NamedBuildsOptions extends Pick<WorkflowContext<unknown>, Needed> {
  readonly options: BuildsOptions;
  readonly recorder: BuildRecorder;
  readonly identities: Identities;
}

/** One build of a name in one folder. */
interface Running {
  /** Known once it is recorded. */
  id?: string;
  /** Resolves once it runs; rejects where it cannot be started. */
  begun?: Promise<BuildRun>;
}

/** The build commands of the config: nothing else can be started here. */
export class NamedBuilds {
  readonly names: readonly string[];
  readonly #options: NamedBuildsOptions;
  /** The running builds by name and folder: one build of a name runs in a folder at a time. */
  readonly #running = new Map<string, Running>();
  #isStopped = false;

  constructor(options: NamedBuildsOptions) {
    this.#options = options;
    this.names = Object.keys(options.options.builds);
  }

  /** Returns the id of the build that it starts. @throws GatewayError */
  async start(name: string, context: CallContext): Promise<string> {
    const build = Object.hasOwn(this.#options.options.builds, name) ? this.#options.options.builds[name] : undefined;
    if (build === undefined) throw unknown(name, this.names);
    const folder = await (await sandboxOf(context, this.#options.workspace, this.#options.guard())).folder(build.cwd);
    try {
      return await this.#startIn(folder, { name, build, context });
    } finally {
      await folder.close();
    }
  }

  /**
   * Ends a build that runs here, and waits for its end.
   * @returns whether nothing of it is left; `undefined` if none with this id runs here
   */
  async cancel(id: string): Promise<boolean | undefined> {
    const found = [...this.#running.values()].find((running) => running.id === id);
    const run = await found?.begun?.catch(() => undefined);
    return run?.cancel();
  }

  /** Ends all of them, also those that are just being started. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const starts = [...this.#running.values()].flatMap(({ begun }) => begun ?? []);
    await Promise.all(starts.map((begun) => begun.then(stopRun, () => undefined))); // the call that wanted it is told
  }

  async #startIn(folder: WorkspaceFolder, wanted: Wanted): Promise<string> {
    const { build, context } = wanted;
    const { identities, env } = this.#options;
    // First, so that no client learns of builds of a project that it may not use.
    const place = await buildPlace(folder.realPath, { names: build, client: context.client, identities, env });
    this.#requireCaller(context.signal);
    const key = JSON.stringify([wanted.name, folder.realPath]);
    const other = this.#running.get(key);
    if (other !== undefined) throw runsAlready(wanted.name, folder, other.id);
    const running: Running = {};
    this.#running.set(key, running);
    const forget = () => void this.#running.delete(key);
    try {
      running.begun = this.#begin(folder, { ...wanted, place }, running);
      const run = await running.begun;
      void run.ended.then(forget);
      return run.id;
    } catch (error) {
      forget();
      throw error;
    }
  }

  async #begin(folder: WorkspaceFolder, { build, context, place }: Placed, running: Running): Promise<BuildRun> {
    const { recorder, reaper, log } = this.#options;
    const { signal } = context;
    const spawn = await this.#spawnOptions(folder, build);
    this.#requireCaller(signal);
    const recording = await recorder.begin({ ...place, command: build.command, env: build.env });
    running.id = recording.id;
    try {
      this.#requireCaller(signal);
      return await BuildRun.start(spawn, { recording, reaper, log, timeoutMs: build.timeoutMs });
    } catch (error) {
      await recording.end({ status: 'failed', note: `the build could not be started: ${(error as Error).message}` });
      throw error instanceof GatewayError ? error : failed((error as Error).message, error);
    }
  }

  /** Refuses to continue after the end of the call or the gateway: a build that starts then would be unknown. */
  #requireCaller(signal: AbortSignal): void {
    if (signal.aborted || this.#isStopped)
      throw new GatewayError('CALL_CANCELLED', 'The call was cancelled, or the gateway stops');
  }

  async #spawnOptions(
    { cwd, realPath }: WorkspaceFolder,
    { command, env: added }: BuildCommand,
  ): Promise<SpawnOptions> {
    const { env, loginPath } = this.#options;
    const [program, ...args] = command;
    try {
      const own = await environmentFor({ env: added, inheritEnv: false }, env, loginPath);
      const found = await findCommand({ command: program, cwd: realPath }, own, loginPath);
      return { file: found.file, args, cwd, env: { ...found.env, PWD: realPath } };
    } catch (error) {
      if (error instanceof ImpossibleError) throw failed(error.message, error);
      throw error;
    }
  }
}

const stopRun = (run: BuildRun): Promise<void> => run.stop();

interface Wanted {
  readonly name: string;
  readonly build: BuildCommand;
  readonly context: CallContext;
}

interface Placed extends Wanted {
  readonly place: Awaited<ReturnType<typeof buildPlace>>;
}

function unknown(name: string, names: readonly string[]): GatewayError {
  const there = names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`;
  const message = `The config has no build ${JSON.stringify(name.slice(0, 100))} in workflows.ide.builds: ${there}`;
  return new GatewayError('INVALID_PARAMS', message, { effect: 'none' });
}

function runsAlready(name: string, { realPath }: WorkspaceFolder, id: string | undefined): GatewayError {
  const which = id === undefined ? 'it is just being started' : `it is the build ${id}`;
  return failed(`The build "${name}" runs in ${realPath} already, and ${which}: wait until it has ended`);
}

function failed(message: string, cause?: unknown): GatewayError {
  return new GatewayError('PROCESS_FAILED', message, { effect: 'none', cause });
}
