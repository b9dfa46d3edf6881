import { PROFILE_NOTIFICATION } from '../../core/access/client-grant.ts';
import { depthIn } from '../../core/agent-depth.ts';
import { FOLDER_NOTIFICATION } from '../../core/providers/client-folder.ts';
import type { Environment } from '../../core/settings/environment.ts';
import type { DaemonRecord } from '../serving/daemon-record.ts';
import type { Settings } from '../settings/load-settings.ts';
import { findRunning } from '../shared/find-running.ts';
import { VERSION } from '../version.ts';
import { LocalClient } from './local-client.ts';

/** The introduction of a command to the running gateway. */
export interface Visit {
  /** Its name, as a client has one. */
  readonly name: string;
  /** The folder in which it was started. */
  readonly folder?: string | undefined;
  /** The profile whose view of the gateway it wants; everything if absent. */
  readonly profile?: string | undefined;
}

export interface VisitedDaemon {
  readonly client: LocalClient;
  readonly record: DaemonRecord;
}

/**
 * Returns a connection to the gateway that runs for this config, if one does; it knows then who has come.
 * @throws Error when the gateway that runs is of another version, which may not know what a profile is.
 */
export async function visitDaemon(
  { home, configPath }: Pick<Settings, 'home' | 'configPath'>,
  { name, folder, profile }: Visit,
  env: Environment = process.env,
): Promise<VisitedDaemon | undefined> {
  const daemon = await findRunning({ home, configPath }, env);
  if (daemon === undefined) return undefined;
  const { socket, record } = daemon;
  if (profile !== undefined && record.version !== VERSION) {
    socket.destroy();
    throw new Error(`the gateway that runs is version ${record.version}, not ${VERSION}; restart it`);
  }
  const client = new LocalClient(socket);
  if (profile !== undefined) client.notify(PROFILE_NOTIFICATION, { profile });
  const depth = String(depthIn(env));
  if (folder !== undefined || depth !== '0') client.notify(FOLDER_NOTIFICATION, { folder, depth });
  client.introduce(name);
  return { client, record };
}
