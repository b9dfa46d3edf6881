import type { Environment } from '../../../core/settings/environment.ts';
import { loadSettings } from '../../../gateway/settings/load-settings.ts';
import { type AddressOptions, type GatewayAddress, gatewayAddress } from '../../own-entry/gateway-address.ts';
import { isCheckpointOn } from '../checkpoints-only.ts';

export interface CheckpointEntry extends Pick<GatewayAddress, 'entry' | 'configArgs' | 'notices'> {
  /** Steps that are missing before checkpoints work. */
  readonly hints: readonly string[];
}

/**
 * Returns how an agent reaches the checkpoints of the gateway with this config.
 * @throws ConfigError if the user names a config that does not exist, or if one is needed
 */
export async function checkpointEntry(
  flag: string | undefined,
  env: Environment,
  options: AddressOptions,
): Promise<CheckpointEntry> {
  const { entry, configArgs, hasConfig, notices, needs } = await gatewayAddress(flag, env, options);
  const hint = hasConfig ? await hintFor(flag, env) : NO_CONFIG;
  return { entry, configArgs, notices, hints: hint === undefined ? needs : [hint, ...needs] };
}

const NO_CONFIG =
  'there is no config yet: write one with "viaduct init --global", and in it enabledWorkflows: [checkpoint]';

async function hintFor(flag: string | undefined, env: Environment): Promise<string | undefined> {
  const settings = await loadSettings(flag, env, 'error');
  if (isCheckpointOn(settings)) return undefined;
  return `the workflow is off: add it in ${settings.configPath}, as in enabledWorkflows: [checkpoint]`;
}
