import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { depthIn } from '../../core/agent-depth.ts';
import { connectToDaemon, type RunningDaemon } from '../../gateway/serving/daemon-record.ts';
import { type DaemonPaths, daemonPaths } from '../../gateway/settings/paths.ts';
import type { VisitorSettings } from '../../gateway/settings/visitor-settings.ts';
import { VERSION } from '../../gateway/version.ts';
import { introductionOf } from './shim/introduction.ts';
import { Shim } from './shim/shim.ts';

/** The time to wait for the first message, in milliseconds. Clients send it at once. */
const INTRODUCTION_MS = 250;

export interface StdioServing {
  /** Resolves when the client has gone; `clean` is whether the client itself ended the connection. */
  readonly ended: Promise<{ readonly clean: boolean; readonly reason: string }>;
  stop(reason: string): Promise<void>;
}

/** The program that started `viaduct stdio`. */
export interface StdioClient {
  readonly input: Readable;
  readonly output: Writable;
  /** The folder it was started in. */
  readonly folder: string;
  /** The profile of its client. */
  readonly profile: string;
}

/**
 * Serves one client on a pair of streams: through the gateway that runs for this config, so that all clients share its
 * upstreams, else with a gateway of its own.
 * @throws ConfigError when it needs one of its own and the config cannot be used
 */
export async function serveStdio(
  settings: VisitorSettings,
  env: Readonly<Record<string, string | undefined>>,
  client: StdioClient,
): Promise<StdioServing> {
  const daemon = await connectToDaemon(daemonPaths(settings.home, settings.configPath));
  if (daemon !== undefined && daemon.record.version === VERSION)
    return attach(daemon, settings, { ...client, depth: depthIn(env) });
  if (daemon !== undefined) {
    daemon.socket.destroy();
    const { pid, version } = daemon.record;
    settings.log.warn(
      { pid, version, ours: VERSION },
      'the gateway that runs is of another version; this client gets its own',
    );
  }
  if (settings.config === undefined) throw settings.error;
  // This is most of the code, and a client attached to a running gateway needs none of it.
  const [{ Gateway }, { serveStream }] = await Promise.all([
    import('../../gateway/gateway.ts'),
    import('../../gateway/serving/serve-stream.ts'),
  ]);
  const gateway = await Gateway.load({ ...settings, env, isForOneClient: true });
  const { log } = settings;
  // Upstreams are told what the client can do, if it says so soon: it is the only one.
  const timer = setTimeout(() => gateway.start(), INTRODUCTION_MS);
  const onArrival = () => {
    clearTimeout(timer);
    gateway.start();
  };
  const options = { ...client, log, maxFrameBytes: () => gateway.clients.maxFrameBytes, onArrival };
  const served = serveStream(gateway, options, 'stdio');
  return {
    ended: served.ended.then((reason) => ({ clean: true, reason })),
    async stop(reason) {
      // Streams of changes get their end while they can still be told.
      clearTimeout(timer);
      await gateway.drain(0);
      served.close(reason);
      await gateway.stop(reason);
    },
  };
}

/** Serves the client through the gateway that runs, and through the one that takes its place if it ends. */
function attach(
  { socket, record }: RunningDaemon,
  { log, home, configPath }: Pick<VisitorSettings, 'log' | 'home' | 'configPath'>,
  client: StdioClient & { readonly depth: number },
): StdioServing {
  log.debug({ pid: record.pid, url: record.url }, 'attached to the gateway that runs');
  const shim = new Shim(socket, {
    ...client,
    introduction: introductionOf(client),
    finder: { reconnect: () => findSuccessor(daemonPaths(home, configPath)) },
  });
  return { ended: shim.ended, stop: async (reason) => shim.stop(reason) };
}

/** @throws Error if the gateway that runs now is of another version */
async function findSuccessor(paths: DaemonPaths): Promise<Socket | undefined> {
  const daemon = await connectToDaemon(paths);
  if (daemon === undefined || daemon.record.version === VERSION) return daemon?.socket;
  daemon.socket.destroy();
  throw new Error(`the gateway that runs now is of version ${daemon.record.version}. Start the client again`);
}
