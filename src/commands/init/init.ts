import path from 'node:path';
import { userConfigPath, workingFolderOf } from '../../config/source/find.ts';
import { userHome } from '../../core/folders/user-home.ts';
import { searchConfig } from '../../gateway/trust/locate-config.ts';
import { noticeOf } from '../../gateway/trust/notices.ts';
import { ownScript } from '../own-entry/own-command.ts';
import { shownCommand } from '../own-entry/shown-command.ts';
import type { ImportPlan } from '../server-lists/import-plan.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { print, printError, printTable } from '../terminal/print.ts';
import { shown } from '../terminal/shown-word.ts';
import { tellNotices } from '../terminal/tell-notices.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { findAgents } from './found-agents.ts';
import { readPlan, writeInitialConfig } from './init-config.ts';
import { showPlan } from './show-plan.ts';

export interface InitOptions {
  readonly global?: boolean;
  readonly force?: boolean;
  readonly import?: string;
  readonly accept?: string;
}

/** Writes a config to begin with. Servers of an agent come into it only after their commands were shown and accepted. */
export async function init(file: string | undefined, options: InitOptions): Promise<void> {
  const target = targetOf(file, options);
  if (options.import === undefined) {
    if (options.accept !== undefined) throw new UsageError('--accept goes with --import FILE');
    await write(target, undefined, options);
    await tellOfAgents();
    return;
  }
  const from = path.resolve(options.import);
  const plan = await readPlan({ from, to: target, env: process.env, cwd: process.cwd(), ownScript: ownScript() });
  if (options.accept === plan.sha256) return write(target, plan, options);
  show(plan, from);
  print(`SHA-256 of all this: ${plan.sha256}`);
  if (options.accept !== undefined) {
    printError(
      'viaduct: this is not what was accepted: the file has changed, or the SHA-256 is another. Nothing was written.',
    );
    process.exitCode = EXIT.failed;
    return;
  }
  print('Nothing was written. To import it:');
  print(`  ${shownCommand()} init ${words(file, options)}--import ${shown(options.import)} --accept ${plan.sha256}`);
}

function targetOf(file: string | undefined, { global }: InitOptions): string {
  if (global !== true) return path.resolve(file ?? 'viaduct.yaml');
  if (file !== undefined) throw new UsageError('--global already names the file: leave out one of the two');
  return userConfigPath(process.env, userHome(process.env));
}

function show(plan: ImportPlan, from: string): void {
  print(`${from} has ${plan.entries.length} servers. They would be written like this:`);
  print();
  for (const line of showPlan(plan)) print(line);
}

async function write(target: string, plan: ImportPlan | undefined, { force }: InitOptions): Promise<void> {
  const entries = plan?.entries.filter(({ isPresent }) => !isPresent) ?? [];
  await writeInitialConfig(target, entries, { env: process.env, replace: force === true });
  const taken = entries.filter(({ obstacle }) => obstacle === undefined).length;
  print(`${target} is written${plan === undefined ? '' : `, with ${taken} of ${entries.length} servers`}.`);
  if (workingFolderOf(target) !== undefined) {
    print(`It is trusted as it is now. After you have edited it, run: ${shownCommand()} trust`);
  }
  const flag = (await isFoundWithoutFlag(target)) ? '' : ` --config ${shown(target)}`;
  print();
  print('Next:');
  print(`  ${shownCommand()} doctor${flag}`);
  print(`  ${shownCommand()} serve${flag}`);
}

async function isFoundWithoutFlag(target: string): Promise<boolean> {
  const found = await searchConfig(undefined, process.env).catch(() => undefined);
  if (found !== undefined) tellNotices(found.passedOver.map(noticeOf));
  return found?.found === true && found.file.path === target;
}

/** Mentions agents that were found. Nothing is imported that was not shown. */
async function tellOfAgents(): Promise<void> {
  const found = await findAgents(process.env, process.cwd());
  if (found.length === 0) return;
  print();
  print('Configs of agents on this machine:');
  printTable(
    found.map(({ title, file, servers }) => [
      title,
      file,
      servers === undefined ? 'not readable' : `${servers} servers`,
    ]),
    '  ',
  );
  const names = [...new Set(found.map(({ agent }) => agent))];
  print(`What could be taken over from one: ${shownCommand()} import ${names.length === 1 ? names[0] : 'AGENT'}`);
  if (names.length > 1) print(`AGENT is one of ${names.join(', ')}.`);
}

function words(file: string | undefined, { global, force }: InitOptions): string {
  const given = [...(global === true ? ['--global'] : []), ...(force === true ? ['--force'] : [])];
  return [...(file === undefined ? [] : [shown(file)]), ...given].map((word) => `${word} `).join('');
}
