import { Gateway } from '../gateway.ts';
import type { Settings } from '../settings/load-settings.ts';
import { followConfig } from '../settings/watch-config.ts';
import { type Daemon, startDaemon } from './start-daemon.ts';
import { tcpPlaceOf } from './tcp-address.ts';

/** The time that open calls have to end when the gateway is told to stop, in milliseconds. */
const DRAIN_MS = 10_000;

export interface HttpServing {
  readonly gateway: Gateway;
  readonly daemon: Daemon;
  /** Ends everything in order. Open calls have `drainMs` milliseconds to end. */
  readonly stop: (drainMs?: number) => Promise<void>;
}

/**
 * Serves clients over HTTP, over TCP where the config or the environment wants that, and every `viaduct stdio` of the same config, with a gateway that follows the config and is not
 * started yet.
 * @throws when the address cannot be listened on, or another gateway serves this config
 */
export async function serveHttp(
  settings: Settings,
  env: Readonly<Record<string, string | undefined>>,
  { host = settings.config.server.host, port = settings.config.server.port }: { host?: string; port?: number } = {},
): Promise<HttpServing> {
  const gateway = await Gateway.load({ ...settings, env });
  const daemon = await startDaemon({
    ...settings,
    gateway,
    host,
    port,
    tcpPlaceOf: ({ server }) => tcpPlaceOf(server, env),
  });
  const watch = followConfig([daemon, gateway], settings, env);
  return {
    gateway,
    daemon,
    async stop(drainMs = DRAIN_MS) {
      await watch.close();
      await daemon.drain(drainMs);
      await gateway.stop('the gateway stops');
      await daemon.close();
    },
  };
}
