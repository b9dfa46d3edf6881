import { BuildReader } from '../../../builds/build-reader.ts';
import { BuildRecorder } from '../../../builds/build-recorder.ts';
import { GatewayError } from '../../../core/errors.ts';
import { isRunningHere } from '../../../core/processes/running-builds.ts';
import type { Build } from '../../../core/stores/build-store.ts';
import { openBuildStore } from '../../../store/builds/open-build-store.ts';
import { openCheckpointStore } from '../../../store/checkpoints/open-checkpoint-store.ts';
import type { Database } from '../../../store/database/database.ts';
import type { CallContext, CallingClient, WorkflowContext } from '../../define.ts';
import { mayUse } from '../../project-access.ts';
import { NamedBuilds } from './named-builds.ts';
import type { BuildsOptions } from './options.ts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 1_000;
const DEFAULT_TAIL = 100;
const MAX_TAIL = 10_000;
/** The number of builds that are counted, more than any figure needs. */
const MAX_COUNTED = 10_000;

/** Builds of the projects that a client may use. */
export interface IdeBuilds {
  /**
   * Starts a build command of the config in the caller's workspace.
   * @throws GatewayError when there is none of this name, it runs there already, or it cannot be started
   */
  start(name: string, context: CallContext): Promise<Build>;
  /**
   * Ends a named build that this gateway runs, and waits for its end.
   * @throws GatewayError BUILD_NOT_FOUND
   */
  cancel(id: string, context: CallContext): Promise<Cancelled>;
  /** @throws GatewayError BUILD_NOT_FOUND */
  get(id: string, context: CallContext): Promise<Build>;
  /** Newest first; 20 of them unless `limit` says otherwise. */
  list(query: { repo?: string; limit?: number }, context: CallContext): Promise<readonly Build[]>;
  /** Returns the newest lines of a log, oldest first; 100 of them unless `tail` says otherwise. @throws GatewayError */
  logs(id: string, tail: number | undefined, context: CallContext): Promise<readonly string[]>;
  /** Names of the build commands of the config. */
  readonly names: readonly string[];
  /** Builds since a time in milliseconds since 1970, of these projects; of all of them where `projects` is `undefined`. */
  since(projects: readonly string[] | undefined, since: number): Promise<readonly Build[]>;
  stop(): Promise<void>;
}

/** Outcome of a request to end a build. */
export interface Cancelled {
  /** As it is afterwards. */
  readonly build: Build;
  readonly success: boolean;
  readonly message: string;
}

type Needed = 'reaper' | 'loginPath' | 'log' | 'mask' | 'env' | 'home' | 'workspace' | 'guard' | 'live';

export interface IdeBuildsOptions extends Pick<WorkflowContext<unknown>, Needed> {
  readonly options: BuildsOptions;
  readonly database: Database;
}

/** Opens the builds of the workflow; what it has started ends with `stop`. The database belongs to the caller. */
export function createIdeBuilds(needed: IdeBuildsOptions): IdeBuilds {
  const { options, database, home, live, log, mask } = needed;
  const store = openBuildStore(database);
  const identities = openCheckpointStore({ database });
  const recorder = new BuildRecorder({ home, store, live, log, mask, keep: options.keepBuilds });
  const reader = new BuildReader({ home, store });
  const named = new NamedBuilds({ ...needed, recorder, identities });

  async function get(id: string, { client }: CallContext): Promise<Build> {
    const build = await reader.get(id.toLowerCase());
    if (build === undefined || !mayUse(client, build.projectId)) throw notFound(id);
    return build;
  }

  async function projectsFor(client: CallingClient): Promise<readonly string[] | undefined> {
    if (mayUse(client, undefined)) return undefined;
    return (await store.projects()).filter((id) => id !== undefined).filter((id) => mayUse(client, id));
  }

  return {
    names: named.names,
    async start(name, context) {
      const id = await named.start(name, context);
      return (await store.get(id)) ?? notFoundAny(id);
    },
    async cancel(id, context) {
      const before = await get(id, context);
      if (before.status !== 'running') return { build: before, success: false, message: endedBefore(before) };
      const isGone = await named.cancel(before.id);
      const build = await get(id, context);
      if (isGone === undefined) return { build, success: false, message: notHere(build) };
      const message = isGone ? `The build ${build.id} has ended: ${build.status}` : leftOver(build);
      return { build, success: isGone, message };
    },
    get,
    async list({ repo, limit = DEFAULT_LIMIT }, { client }) {
      // Builds of workflow `process` end without a word to this one.
      await recorder.prune();
      return reader.list({ projects: await projectsFor(client), repo, limit: Math.min(limit, MAX_LIMIT) });
    },
    logs: async (id, tail = DEFAULT_TAIL, context) =>
      reader.logs(await get(id, context), Math.min(Math.max(1, tail), MAX_TAIL)),
    since: (projects, since) => reader.list({ projects, since, limit: MAX_COUNTED }),
    async stop() {
      await named.stop();
      await Promise.all([store.close(), identities.close()]);
    },
  };
}

function endedBefore({ id, status }: Build): string {
  return `The build ${id} had ended before: ${status}`;
}

/** Says who can end a build that is not one of this gateway's named builds. */
function notHere(build: Build): string {
  const { id, host } = build;
  if (build.status !== 'running') return endedBefore(build);
  if (isRunningHere(id)) return `The build ${id} was started with process_start: end its process with process_stop`;
  return `The build ${id} runs in another gateway on ${host}: it can only be ended there`;
}

function leftOver({ id }: Build): string {
  return `The build ${id} was told to end, and not all of its processes have ended yet`;
}

function notFound(id: string): GatewayError {
  const message = `There is no build ${JSON.stringify(id.slice(0, 100))} that you may see: ide_build_list lists those that there are`;
  return new GatewayError('BUILD_NOT_FOUND', message, { effect: 'none' });
}

function notFoundAny(id: string): never {
  throw notFound(id);
}
