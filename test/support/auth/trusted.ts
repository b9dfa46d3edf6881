import { readConfigFile } from '../../../src/config/source/config-file.ts';
import { homeFolder } from '../../../src/gateway/settings/paths.ts';
import { addTrust } from '../../../src/gateway/trust/trust-file.ts';

/** Trusts the config of a folder as it is now, as `viaduct trust --yes` does, without starting a process. */
export async function trustConfig(file: string, env: NodeJS.ProcessEnv): Promise<void> {
  await addTrust(homeFolder(env), await readConfigFile(file));
}
