import { PROFILE_NOTIFICATION } from '../core/admittance.ts';
import { FOLDER_NOTIFICATION } from '../core/client-folder.ts';
import { connectToDaemon } from './daemon-record.ts';
import { duplexPair } from './duplex-pair.ts';
import type { Settings } from './load-settings.ts';
import { LocalClient } from './local-client.ts';
import { daemonPaths } from './paths.ts';
import { VERSION } from './version.ts';

/** How long a command that runs by itself waits for upstreams to say what they have. */
const PATIENCE_MS = 20_000;

export interface OpenGateway {
  readonly client: LocalClient;
  /** The running gateway that was found, if one was. */
  readonly daemonUrl: string | undefined;
  close(): Promise<void>;
}

/** What a command says of itself. */
interface Visit {
  /** Its name, as a client has one. */
  readonly name: string;
  /** Where it was started. */
  readonly folder?: string | undefined;
  /** Whose view of the gateway it wants; everything without one. */
  readonly profile?: string | undefined;
}

/**
 * A connection to the gateway that runs for this config, else to one that lives as long as the connection.
 * @throws Error when the gateway that runs is of another version, which may not know what a profile is.
 */
export async function openGateway(
  settings: Settings,
  env: Readonly<Record<string, string | undefined>>,
  { name, folder, profile }: Visit,
): Promise<OpenGateway> {
  const daemon = await connectToDaemon(daemonPaths(settings.home, settings.configPath));
  if (daemon !== undefined) {
    if (profile !== undefined && daemon.record.version !== VERSION) {
      daemon.socket.destroy();
      throw new Error(`the gateway that runs is version ${daemon.record.version}, not ${VERSION}; restart it`);
    }
    const client = new LocalClient(daemon.socket);
    if (profile !== undefined) client.notify(PROFILE_NOTIFICATION, { profile });
    if (folder !== undefined) client.notify(FOLDER_NOTIFICATION, { folder });
    client.introduce(name);
    return { client, daemonUrl: daemon.record.url, close: async () => client.close() };
  }
  // Most of the code, and a command that has found a gateway needs none of it.
  const [{ Gateway }, { serveStream }] = await Promise.all([import('./gateway.ts'), import('./serve-stream.ts')]);
  const gateway = await Gateway.load({ ...settings, env, listGraceMs: PATIENCE_MS });
  gateway.start();
  const [ours, theirs] = duplexPair();
  serveStream(
    gateway,
    {
      input: theirs,
      output: theirs,
      folder,
      profile,
      log: settings.log,
      maxFrameBytes: settings.config.limits.frameBytes,
    },
    'command',
  );
  const client = new LocalClient(ours);
  client.introduce(name);
  return {
    client,
    daemonUrl: undefined,
    async close() {
      client.close();
      await gateway.stop('the command has ended');
    },
  };
}
