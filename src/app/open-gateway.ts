import { connectToDaemon } from './daemon-record.ts';
import { duplexPair } from './duplex-pair.ts';
import { Gateway } from './gateway.ts';
import type { Settings } from './load-settings.ts';
import { LocalClient } from './local-client.ts';
import { daemonPaths } from './paths.ts';
import { serveStream } from './start-daemon.ts';

/** How long a command that runs by itself waits for upstreams to say what they have. */
const PATIENCE_MS = 20_000;

export interface OpenGateway {
  readonly client: LocalClient;
  /** The running gateway that was found, if one was. */
  readonly daemonUrl: string | undefined;
  close(): Promise<void>;
}

/** A connection to the gateway that runs for this config, else to one that lives as long as the connection. */
export async function openGateway(
  settings: Settings,
  env: Readonly<Record<string, string | undefined>>,
): Promise<OpenGateway> {
  const daemon = await connectToDaemon(daemonPaths(settings.home, settings.configPath));
  if (daemon !== undefined) {
    const client = new LocalClient(daemon.socket);
    return { client, daemonUrl: daemon.record.url, close: async () => client.close() };
  }
  const gateway = new Gateway({ ...settings, env, listGraceMs: PATIENCE_MS });
  gateway.start();
  const [ours, theirs] = duplexPair();
  serveStream(
    gateway,
    { input: theirs, output: theirs, log: settings.log, maxFrameBytes: settings.config.limits.frameBytes },
    'command',
  );
  const client = new LocalClient(ours);
  return {
    client,
    daemonUrl: undefined,
    async close() {
      client.close();
      await gateway.stop('the command has ended');
    },
  };
}
