import { homedir } from 'node:os';
import { loadOptions, loadSettings } from '../../app/load-settings.ts';
import { findConfig } from '../../config/find.ts';
import { configJsonSchema } from '../../config/json-schema.ts';
import { EXIT } from '../exit-codes.ts';
import { print, printError, printJson } from '../print.ts';

/** Reads the config and says what it holds, or everything that is wrong with it. */
export async function checkConfig(options: { readonly config?: string }): Promise<void> {
  const { config, configPath } = await loadSettings(options.config, process.env, 'error');
  const upstreams = config.upstreams.map(({ key }) => key).join(', ') || 'none';
  print(`${configPath} is valid`);
  print(`  upstreams  ${upstreams}`);
  if (config.disabled.length > 0) print(`  disabled   ${config.disabled.map(({ key }) => key).join(', ')}`);
  print(`  workflows  ${config.enabledWorkflows.join(', ') || 'none'}`);
}

/** Says which config is used, or where one is looked for. */
export async function configPath(options: { readonly config?: string }): Promise<void> {
  const home = process.env.HOME || homedir();
  const found = await findConfig({ flag: options.config, env: process.env, cwd: process.cwd(), home });
  if (found.found) {
    print(found.path);
    return;
  }
  printError('There is no config. Looked for:');
  for (const path of found.tried) printError(`  ${path}`);
  process.exitCode = EXIT.failed;
}

/** The JSON Schema of the config, for editors. */
export function configSchema(): void {
  printJson(configJsonSchema(loadOptions(process.env).workflowOptions));
}
