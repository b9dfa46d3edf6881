import { randomUUID } from 'node:crypto';
import { readFile, realpath, rename, stat, writeFile } from 'node:fs/promises';
import { parseConfig } from '../../config/load.ts';
import { loadOptions } from '../load-settings.ts';

/**
 * Writes a config anew, through links and with the rights it has; all of it or nothing, and only when it is valid.
 * @throws ConfigError when it would not be valid; Error when it cannot be written
 */
export async function changeConfig(
  path: string,
  env: Readonly<Record<string, string | undefined>>,
  change: (text: string) => string,
): Promise<void> {
  const file = await realpath(path);
  const text = change(await readFile(file, 'utf8'));
  parseConfig(text, { ...loadOptions(env), path });
  const { mode } = await stat(file);
  const draft = `${file}.${randomUUID().slice(0, 8)}`;
  await writeFile(draft, text, { mode, flush: true });
  await rename(draft, file);
}
