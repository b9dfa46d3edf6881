import { RotatingFile } from '../../audit/rotating-file.ts';
import { readOwnConfig } from '../../config/source/find.ts';
import type { Log } from '../../telemetry/log.ts';
import { type Settings, settingsOf } from '../settings/load-settings.ts';
import { homeFolder, sharedPaths } from '../settings/paths.ts';
import { trustOf } from '../trust/trust-file.ts';
import type { StartReport } from './launch.ts';
import { SharedGateway } from './shared-gateway.ts';
import { keySecret, sharedKey } from './shared-key.ts';

/** The outcome of a start. */
export interface SharedStart {
  readonly report: StartReport;
  /** Absent if this process is not needed. */
  readonly gateway?: SharedGateway;
  readonly log?: Log;
}

interface SharedStartOptions {
  readonly configPath: string;
  readonly isOfFolder: boolean;
  /** The key that the client has found out. */
  readonly key: string;
  readonly env: Record<string, string | undefined>;
}

const MAX_LOG_BYTES = 1024 * 1024;
const LOG_FILES = 2;

/**
 * Reads the config as the client did, and opens the gateway.
 * @throws ConfigError if the config cannot be used, or is not trusted; the system's error if the gateway cannot be opened
 */
export async function startShared({ configPath, isOfFolder, key, env }: SharedStartOptions): Promise<SharedStart> {
  const home = homeFolder(env);
  const settings = await readSettings({ configPath, isOfFolder, key, env });
  const { variables } = settings.config;
  if (sharedKey(await keySecret(home), { configPath, isOfFolder, variables }, env) !== key)
    return { report: { hasOtherKey: true } };
  const gateway = await SharedGateway.open({ settings, key, env });
  return gateway === undefined ? { report: {} } : { report: {}, gateway, log: settings.log };
}

async function readSettings({ configPath, isOfFolder, key, env }: SharedStartOptions): Promise<Settings> {
  const home = homeFolder(env);
  const scope = isOfFolder ? 'folder' : 'named';
  const file = await readOwnConfig({ path: configPath, scope });
  if (isOfFolder && (await trustOf(home, file)) !== 'trusted')
    throw new Error(`${configPath} is not trusted as it is now: viaduct trust`);
  const lines = new RotatingFile({ file: sharedPaths(home, key).log, maxBytes: MAX_LOG_BYTES, files: LOG_FILES });
  const write = (line: string) => {
    try {
      lines.append(line);
      lines.rotateWhenFull();
    } catch {
      // A log that cannot be written is no reason to end, and there is no other place to say so.
    }
  };
  return settingsOf({ found: true, file, scope, passedOver: [] }, env, undefined, { write });
}
