import { configJsonSchema } from '../../config/json-schema.ts';
import { parseConfig } from '../../config/load.ts';
import { loadOptions } from '../../gateway/settings/load-settings.ts';
import { searchConfig } from '../../gateway/trust/locate-config.ts';
import { noticeOf } from '../../gateway/trust/notices.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { findConfigFile } from '../terminal/open-settings.ts';
import { print, printError, printJson } from '../terminal/print.ts';
import { tellNotices } from '../terminal/tell-notices.ts';

/** Reads the config and says what it holds, or everything that is wrong with it. */
export async function checkConfig(options: { readonly config?: string }): Promise<void> {
  const { path: configPath, text } = (await findConfigFile(options.config)).file;
  const config = parseConfig(text, { ...loadOptions(process.env), path: configPath });
  const upstreams = config.upstreams.map(({ key }) => key).join(', ') || 'none';
  print(`${configPath} is valid`);
  print(`  upstreams  ${upstreams}`);
  if (config.disabled.length > 0) print(`  disabled   ${config.disabled.map(({ key }) => key).join(', ')}`);
  print(`  workflows  ${config.enabledWorkflows.join(', ') || 'none'}`);
}

/** Prints which config is used, or where one is looked for. */
export async function configPath(options: { readonly config?: string }): Promise<void> {
  const found = await searchConfig(options.config, process.env);
  tellNotices(found.passedOver.map(noticeOf));
  if (found.found) {
    print(found.file.path);
    return;
  }
  printError('There is no config. Looked for:');
  for (const path of found.tried) printError(`  ${path}`);
  process.exitCode = EXIT.failed;
}

/** The JSON Schema of the config, for editors. */
export function configSchema(): void {
  const options = loadOptions(process.env);
  printJson(configJsonSchema(options.workflowOptions, options));
}
