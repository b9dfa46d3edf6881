import type { DaemonRecord } from '../serving/daemon-record.ts';
import type { VisitorSettings } from '../settings/visitor-settings.ts';
import { duplexPair } from './duplex-pair.ts';
import { LocalClient } from './local-client.ts';
import { type Visit, visitDaemon } from './visit-daemon.ts';

/** The time that a command without a running gateway waits for the upstreams' lists, in milliseconds. */
const PATIENCE_MS = 20_000;

export interface OpenGateway {
  readonly client: LocalClient;
  /** The running gateway that was found, if one was. */
  readonly daemon: DaemonRecord | undefined;
  close(): Promise<void>;
}

/**
 * Returns a connection to the gateway that runs for this config, else to one that lives as long as the connection.
 * @throws Error when the gateway that runs is of another version, which may not know what a profile is; ConfigError when
 * none runs and the config cannot be used.
 */
export async function openGateway(
  settings: VisitorSettings,
  env: Readonly<Record<string, string | undefined>>,
  visit: Visit,
): Promise<OpenGateway> {
  const daemon = await visitDaemon(settings, visit, env);
  if (daemon !== undefined) {
    const { client, record } = daemon;
    return { client, daemon: record, close: async () => client.close() };
  }
  if (settings.config === undefined) throw settings.error;
  // Most of the code, and a command that has found a gateway needs none of it.
  const [{ Gateway }, { serveStream }] = await Promise.all([
    import('../gateway.ts'),
    import('../serving/serve-stream.ts'),
  ]);
  // A command may be about what servers have now, such as `viaduct pins`: it does not wait for a call.
  const upstreams = settings.config.upstreams.map((entry) => ({ ...entry, start: 'eager' as const }));
  const config = { ...settings.config, upstreams };
  const gateway = await Gateway.load({ ...settings, config, env, listGraceMs: PATIENCE_MS });
  gateway.start();
  const { name, folder, profile } = visit;
  const [ours, theirs] = duplexPair();
  serveStream(
    gateway,
    {
      input: theirs,
      output: theirs,
      folder,
      profile,
      log: settings.log,
      maxFrameBytes: () => gateway.clients.maxFrameBytes,
    },
    'command',
  );
  const client = new LocalClient(ours);
  client.introduce(name);
  return {
    client,
    daemon: undefined,
    async close() {
      client.close();
      await gateway.stop('the command has ended');
    },
  };
}
