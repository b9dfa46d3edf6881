import { parseConfig } from '../../config/load.ts';
import { loadOptions } from '../load-settings.ts';
import { editConfig } from '../trust/edit-config.ts';

/**
 * Writes a config anew, and only when it is valid: as `editConfig` does, so that nothing is lost that another program writes.
 * @throws ConfigError when it would not be valid; Error when it cannot be written
 */
export async function changeConfig(
  path: string,
  env: Readonly<Record<string, string | undefined>>,
  change: (text: string) => string,
): Promise<void> {
  await editConfig(path, env, (text = '') => {
    const changed = change(text);
    parseConfig(changed, { ...loadOptions(env), path });
    return changed;
  });
}
