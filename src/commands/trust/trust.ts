import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { escaped } from '../../core/text/escaped.ts';
import { shellWord } from '../../core/text/shell-word.ts';
import { homeFolder } from '../../gateway/settings/paths.ts';
import { shownCommand } from '../own-entry/shown-command.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { print, printError, printJson, printTable } from '../terminal/print.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { showConfig } from './shown-config.ts';
import { type FolderConfig, TrustedFolders } from './trusted-folders.ts';

interface TrustOptions {
  readonly yes?: boolean;
  readonly accept?: string;
  readonly list?: boolean;
  readonly remove?: boolean;
  readonly json?: boolean;
}

/** Shows the config of a folder and has it used from now on, if the user agrees; or lists or takes back such trust. */
export async function trust(folder: string | undefined, options: TrustOptions): Promise<void> {
  checkUsage(folder, options);
  const desk = new TrustedFolders(homeFolder(process.env));
  if (options.list === true) process.exitCode = await list(desk, options);
  else if (options.remove === true) process.exitCode = await remove(desk, folder ?? '.', options);
  else process.exitCode = await offer(desk, folder ?? '.', options);
}

function checkUsage(folder: string | undefined, { yes, accept, list: isList, remove: isRemove }: TrustOptions): void {
  const agrees = yes === true || accept !== undefined;
  if (isList === true && (folder !== undefined || agrees || isRemove === true)) {
    throw new UsageError('--list can be combined only with --json');
  }
  if (isRemove === true && agrees) throw new UsageError('--remove cannot be combined with --yes or --accept');
}

async function offer(desk: TrustedFolders, folder: string, options: TrustOptions): Promise<number> {
  const config = await desk.read(folder);
  if (config.trust === 'trusted') return tell(config, options, `${config.path} is trusted already.`);
  if (options.yes !== true && options.accept !== config.sha256) {
    if (options.json !== true) show(config);
    if (!(await agrees(config, folder, options))) return EXIT.failed;
  }
  await desk.trust(config);
  return tell(config, options, `${config.path} is trusted. A gateway that runs with it reads it again.`);
}

function tell(config: FolderConfig, { json }: TrustOptions, words: string): number {
  if (json === true) printJson(report(config, true));
  else print(escaped(words));
  return EXIT.ok;
}

function show({ path: file, trust: state, value, sha256 }: FolderConfig): void {
  const change = state === 'changed' ? ' It has changed since you trusted it.' : '';
  print(`${escaped(file)} is not used.${change} It says:`);
  print();
  for (const line of showConfig(value)) print(line);
  print(`SHA-256 of the file: ${sha256}`);
}

/** Asks on a terminal; otherwise explains how to agree. */
async function agrees(config: FolderConfig, folder: string, { accept, json }: TrustOptions): Promise<boolean> {
  if (accept !== undefined) printError('viaduct: this is not what was accepted: the SHA-256 differs.');
  else if (json !== true && process.stdin.isTTY && process.stdout.isTTY) return ask();
  if (json === true) printJson(report(config, false));
  else {
    print('Nothing was changed. If you want it to be used:');
    print(`  ${shownCommand()} trust ${escaped(shellWord(path.resolve(folder)))} --accept ${config.sha256}`);
  }
  return false;
}

async function ask(): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  // At the end of the input, no answer can come any more.
  const ended = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  try {
    const answer = await Promise.race([terminal.question('Use it from now on? [y/N] '), ended]);
    if (/^\s*y(es)?\s*$/i.test(answer)) return true;
    print('Nothing was changed.');
    return false;
  } finally {
    terminal.close();
  }
}

function report({ path: file, sha256, trust: before, value }: FolderConfig, isTrusted: boolean) {
  return { path: file, sha256, trusted: isTrusted, before, ...(!isTrusted && { config: value }) };
}

async function remove(desk: TrustedFolders, folder: string, { json }: TrustOptions): Promise<number> {
  const removed = await desk.remove(folder);
  if (json === true) printJson({ removed });
  else if (removed.length === 0) print('No config of this folder was trusted.');
  else for (const file of removed) print(`${escaped(file)} is no longer trusted. A running gateway keeps using it.`);
  return removed.length === 0 ? EXIT.failed : EXIT.ok;
}

async function list(desk: TrustedFolders, { json }: TrustOptions): Promise<number> {
  const lines = await desk.list();
  if (json === true) printJson(lines);
  else if (lines.length === 0) print('You trust no configs of folders.');
  else printTable(lines.map(({ path: file, state, at, sha256 }) => [escaped(file), state, at, sha256]));
  return EXIT.ok;
}
