import { parseRunnableConfig } from '../../config/load.ts';
import { loadOptions } from '../../gateway/settings/load-settings.ts';
import { editConfig } from '../user-files/edit-config.ts';

/**
 * Writes a config anew, and only when a gateway can run with it: as `editConfig` does, so that nothing is lost that another program writes.
 * @throws ConfigError when none could; Error when it cannot be written
 */
export async function changeConfig(
  path: string,
  env: Readonly<Record<string, string | undefined>>,
  change: (text: string) => string,
): Promise<void> {
  await editConfig(path, env, (text = '') => {
    const changed = change(text);
    parseRunnableConfig(changed, { ...loadOptions(env), path });
    return changed;
  });
}
