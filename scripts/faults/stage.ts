import type { RawClient } from '../../test/support/clients/raw-client.ts';
import { besideGood } from './beside.ts';
import { listed } from './expect.ts';
import type { Entry, Gateway, Scene } from './scene.ts';

export interface StageOptions {
  /** More arguments of the hostile server. */
  readonly args?: readonly string[];
  /** More members of its entry. */
  readonly bad?: Entry;
  /** More members of the config. */
  readonly config?: Entry;
  /** More upstreams. */
  readonly others?: Readonly<Record<string, Entry>>;
  /** Tools that must be in the list before the fault is made. */
  readonly wait?: readonly string[];
  readonly capabilities?: unknown;
  readonly env?: NodeJS.ProcessEnv;
  /** A gateway in the background, which status can be asked of and other clients can join. */
  readonly shared?: boolean;
}

/** A gateway with two upstreams, `bad` in one of its modes and `good` beside it, and a client. */
export interface Stage {
  readonly scene: Scene;
  readonly client: RawClient;
  /** The gateway in which the upstreams are. */
  readonly gateway: Gateway;
  readonly pid: number;
  readonly config: string;
  /** What `bad` noted. */
  readonly log: () => string[];
  /** Processes of `bad`, all that there have been. */
  readonly badPids: () => number[];
}

export async function stage(scene: Scene, mode: string, options: StageOptions = {}): Promise<Stage> {
  const { args = [], bad = {}, others = {}, wait = ['bad_echo', 'good_echo'] } = options;
  const good = scene.fixture('hostile', [`--log=${scene.logFile('good')}`]);
  const config = scene.config({
    upstreams: { bad: scene.hostile(mode, args, bad), good, ...others },
    ...options.config,
  });
  const shared = options.shared === true ? await scene.serve(config, options.env) : undefined;
  const own = await scene.stdio(config, {
    capabilities: options.capabilities ?? {},
    ...(options.env !== undefined && { env: options.env }),
  });
  const gateway = shared ?? own;
  if (wait.length > 0) await listed(own.client, wait);
  return {
    scene,
    client: own.client,
    gateway,
    pid: gateway.child.pid!,
    config,
    log: () => scene.linesOf(scene.logFile(mode)),
    badPids: () => scene.pidsIn(scene.logFile(mode)),
  };
}

/** Sets the stage and does `work` while the calls of `good` must not fail. */
export async function besides(
  scene: Scene,
  mode: string,
  work: (stage: Stage) => Promise<void>,
  options: StageOptions = {},
): Promise<void> {
  const set = await stage(scene, mode, options);
  await besideGood(set.client, () => work(set));
}
