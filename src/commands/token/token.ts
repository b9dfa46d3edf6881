import { parseRunnableConfig } from '../../config/load.ts';
import type { Config, TokenConfig } from '../../config/schema.ts';
import type { ConfigFile } from '../../config/source/config-file.ts';
import { tokenText, withoutToken, withToken } from '../../config/yaml/edit-tokens.ts';
import { nameHint } from '../../core/text/name-hint.ts';
import { loadOptions } from '../../gateway/settings/load-settings.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { findConfigFile } from '../terminal/open-settings.ts';
import { print, printError, printExact, printJson, printTable } from '../terminal/print.ts';
import { whenDelivered } from '../terminal/standard-output.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { changeConfig } from './change-config.ts';
import { makeToken, momentOf } from './new-token.ts';

interface TokenOptions {
  readonly config?: string;
  readonly json?: boolean;
}

interface CreateOptions extends TokenOptions {
  readonly upstreams?: string;
  readonly workflows?: string;
  readonly projects?: string;
  readonly expires?: string;
  readonly write?: boolean;
}

/** Makes a token. It is printed alone on standard output, so that a script can take it; all else is for people. */
export async function createToken(name: string, options: CreateOptions): Promise<void> {
  const { file } = await findConfigFile(options.config);
  const { path } = file;
  const { token, entry } = makeToken({
    name,
    upstreams: wordsOf(options.upstreams),
    workflows: wordsOf(options.workflows),
    projects: wordsOf(options.projects),
    expires: expiryOf(options.expires),
  });
  // In any case, check that the config would be valid with it.
  const change = (text: string) => withToken(text, entry);
  configOf({ path, text: change(file.text) });
  if (options.json === true) printJson({ token, entry, ...(options.write === true && { writtenTo: path }) });
  else printExact(token);
  // The config is left alone unless the user has the token: it is nowhere else.
  await whenDelivered();
  if (options.write === true) await writeEntry(path, change);
  if (options.json === true) return;
  printError('This is the only time that it is shown. Clients send it as: Authorization: Bearer TOKEN');
  if (options.write === true) printError(`Its entry is in ${path}; a running gateway applies it at once.`);
  else printError(`The config needs this under server.tokens (--write puts it there):\n${tokenText(entry)}`);
}

async function writeEntry(path: string, change: (text: string) => string): Promise<void> {
  try {
    await changeConfig(path, process.env, change);
  } catch (error) {
    printError(
      'viaduct: the token that was printed opens nothing, since its entry could not be written into the config',
    );
    throw error;
  }
}

export async function listTokens(options: TokenOptions): Promise<void> {
  const { server } = configOf((await findConfigFile(options.config)).file);
  const tokens = (server.tokens ?? []).map((token) => ({ ...token, isExpired: isExpired(token) }));
  if (options.json === true) printJson(tokens);
  else if (server.tokens === undefined) print('There are no tokens: viaduct token create NAME --write');
  else if (tokens.length === 0) print('There are no tokens. Clients need one to connect over HTTP.');
  else printTable(tokens.map((token) => [token.name, accessOf(token), expiryWords(token)]));
}

export async function revokeToken(name: string, options: TokenOptions): Promise<void> {
  const { path, text } = (await findConfigFile(options.config)).file;
  if (withoutToken(text, name) === undefined) {
    const names = (configOf({ path, text }).server.tokens ?? []).map((token) => token.name);
    printError(`There is no token "${name}" in ${path}. ${nameHint(name, names)}`);
    process.exitCode = EXIT.failed;
    return;
  }
  let after = text;
  await changeConfig(path, process.env, (present) => {
    after = withoutToken(present, name) ?? present;
    return after;
  });
  print(`${name}: revoked in ${path}; a running gateway ends its sessions at once.`);
  const { server } = configOf({ path, text: after });
  if (server.tokens?.length === 0 && server.oauth === undefined) {
    print('No token is left, so no client can connect over HTTP. Remove "tokens" from the config to need none.');
  }
}

/** @throws ConfigError if no gateway can run with it */
function configOf({ path, text }: Pick<ConfigFile, 'path' | 'text'>): Config {
  return parseRunnableConfig(text, { ...loadOptions(process.env), path });
}

function wordsOf(text: string | undefined): string[] | undefined {
  return text
    ?.split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

function expiryOf(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : momentOf(text, Date.now());
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function isExpired({ expires }: TokenConfig): boolean {
  return expires !== undefined && Date.parse(expires) <= Date.now();
}

function expiryWords(token: TokenConfig): string {
  if (token.expires === undefined) return 'does not expire';
  return isExpired(token) ? `expired ${token.expires}` : `until ${token.expires}`;
}

function accessOf({ access }: TokenConfig): string {
  if (access === undefined) return 'everything';
  const { upstreams, workflows, tools, projects = [] } = access;
  const listed = (names: typeof upstreams) => (names === 'all' ? 'all' : names.join(', ') || 'none');
  const some = tools.allow.includes('*') && tools.deny.length === 0 ? '' : '; some tools';
  const limits = projects.map((globs) => `; projects: ${globs.join(', ') || 'none'}`).join('');
  return `upstreams: ${listed(upstreams)}; workflows: ${listed(workflows)}${some}${limits}`;
}
