import type { Socket } from 'node:net';
import { depthIn } from '../../core/agent-depth.ts';
import type { Environment } from '../../core/settings/environment.ts';
import type { VisitorSettings } from '../../gateway/settings/visitor-settings.ts';
import { findRunning } from '../../gateway/shared/find-running.ts';
import { VERSION } from '../../gateway/version.ts';
import { attach } from './attach.ts';
import type { StdioClient, StdioServing } from './stdio-client.ts';

/** The time to wait for the first message, in milliseconds. Clients send it at once. */
const INTRODUCTION_MS = 250;

/**
 * Serves one client on a pair of streams: through the gateway that runs for this config, so that all clients share its
 * upstreams, else with a gateway of its own.
 * @throws ConfigError when it needs one of its own and the config cannot be used
 */
export async function serveStdio(
  settings: VisitorSettings,
  env: Environment,
  client: StdioClient,
): Promise<StdioServing> {
  const daemon = await findRunning(settings, env);
  if (daemon !== undefined && daemon.record.version === VERSION)
    return attach(daemon, { ...client, depth: depthIn(env) }, () => findSuccessor(settings, env));
  if (daemon !== undefined) {
    daemon.socket.destroy();
    const { pid, version } = daemon.record;
    settings.log.warn(
      { pid, version, ours: VERSION },
      'the gateway that runs is of another version; this client gets its own',
    );
  }
  return serveAlone(settings, env, client);
}

/**
 * Serves one client with a gateway of its own.
 * @throws ConfigError when the config cannot be used
 */
export async function serveAlone(
  settings: VisitorSettings,
  env: Environment,
  client: StdioClient,
): Promise<StdioServing> {
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

/** @throws Error if the gateway that runs now is of another version */
async function findSuccessor(settings: VisitorSettings, env: Environment): Promise<Socket | undefined> {
  const daemon = await findRunning(settings, env);
  if (daemon === undefined || daemon.record.version === VERSION) return daemon?.socket;
  daemon.socket.destroy();
  throw new Error(`the gateway that runs now is of version ${daemon.record.version}. Start the client again`);
}
