import { FOLDER_NOTIFICATION } from '../core/client-folder.ts';
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

/**
 * A connection to the gateway that runs for this config, else to one that lives as long as the connection. `folder` is
 * where the command was started.
 */
export async function openGateway(
  settings: Settings,
  env: Readonly<Record<string, string | undefined>>,
  folder?: string,
): Promise<OpenGateway> {
  const daemon = await connectToDaemon(daemonPaths(settings.home, settings.configPath));
  if (daemon !== undefined) {
    const client = new LocalClient(daemon.socket);
    if (folder !== undefined) client.notify(FOLDER_NOTIFICATION, { folder });
    return { client, daemonUrl: daemon.record.url, close: async () => client.close() };
  }
  const gateway = new Gateway({ ...settings, env, listGraceMs: PATIENCE_MS });
  gateway.start();
  const [ours, theirs] = duplexPair();
  serveStream(
    gateway,
    { input: theirs, output: theirs, folder, log: settings.log, maxFrameBytes: settings.config.limits.frameBytes },
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
