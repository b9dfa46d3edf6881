import path from 'node:path';
import { entryText, type GatewayEntry } from '../../../agents/gateway-entry.ts';
import { escaped } from '../../../core/text/escaped.ts';
import { nameHint } from '../../../core/text/name-hint.ts';
import { shellWord } from '../../../core/text/shell-word.ts';
import { noticeLine } from '../../../gateway/trust/notices.ts';
import { primableAgents } from '../../../workflows/checkpoint/adapters/priming/plan.ts';
import { ownCommand } from '../../own-entry/own-command.ts';
import { EXIT } from '../../terminal/exit-codes.ts';
import { print, printJson, printTable } from '../../terminal/print.ts';
import { tellNotices } from '../../terminal/tell-notices.ts';
import { UsageError } from '../../terminal/usage-error.ts';
import { checkpointEntry } from './checkpoint-entry.ts';
import { type PrimedFile, type PrimingReport, primeAgent } from './prime-agent.ts';

export interface PrimeOptions {
  readonly config?: string;
  readonly remove?: boolean;
  /** The user's own files instead of those of the project in this folder. */
  readonly home?: boolean;
  readonly hooks?: boolean;
  /** Removes what ide-bridge has written into the same files. */
  readonly replaceIdeBridge?: boolean;
  /** Connects to the gateway by its URL. */
  readonly http?: boolean;
  readonly json?: boolean;
}

/** Writes into an agent's files what makes it save and load checkpoints by itself, or takes it out again. */
export async function primeCheckpoints(agent: string, options: PrimeOptions): Promise<void> {
  checkUsage(agent, options);
  const scope = { isForUser: options.home === true, isByUrl: options.http === true };
  const { entry, configArgs, notices, hints } = await checkpointEntry(options.config, process.env, {
    ...scope,
    ...ownCommand(),
  });
  tellNotices(notices);
  const command = (does: 'load' | 'save'): string => hookCommand(does, configArgs);
  const report = await primeAgent({
    agent,
    entry,
    env: process.env,
    folder: scope.isForUser ? undefined : process.cwd(),
    remove: options.remove === true,
    hookCommand: options.hooks === true ? command : undefined,
    replaceIdeBridge: options.replaceIdeBridge === true ? { hookCommand: command } : undefined,
  });
  const left = report.ideBridge.length === 0 ? [] : [leftByIdeBridge(report.ideBridge, options)];
  const next = options.remove === true ? [] : [...report.byHand, ...left, ...hints, ...notices.map(noticeLine)];
  if (options.json === true) printJson({ ...report, byHand: next, entry });
  else show({ ...report, byHand: next }, entry);
  process.exitCode = report.files.some(({ outcome }) => outcome === 'left alone') ? EXIT.failed : EXIT.ok;
}

function leftByIdeBridge(places: readonly string[], { replaceIdeBridge }: PrimeOptions): string {
  const what = `ide-bridge has left ${places.join(', ')}`;
  return replaceIdeBridge === true ? `${what}: remove it by hand` : `${what}. --replace-ide-bridge removes it`;
}

function checkUsage(agent: string, { hooks, remove, replaceIdeBridge }: PrimeOptions): void {
  if (remove === true && replaceIdeBridge === true) {
    throw new UsageError('--replace-ide-bridge cannot be combined with --remove');
  }
  const known = primableAgents();
  const found = known.find(({ name }) => name === agent);
  if (found === undefined) {
    const names = known.map(({ name }) => name);
    throw new UsageError(`there is no agent "${agent}". ${nameHint(agent, names)}`);
  }
  if (hooks === true && found.priming.hookSettings === undefined) {
    throw new UsageError(`--hooks does not work with ${agent}: only Claude Code has hooks`);
  }
}

function hookCommand(does: 'load' | 'save', configArgs: readonly string[]): string {
  const { command, args } = ownCommand();
  return [command, ...args, 'checkpoint', 'hook', does, ...configArgs].map(shellWord).join(' ');
}

function show({ files, byHand }: Pick<PrimingReport, 'files' | 'byHand'>, entry: GatewayEntry): void {
  printTable(files.map((file) => [path.relative('', file.file) || file.file, file.what, outcomeOf(file)]));
  for (const line of byHand) print(`- ${escaped(line)}`);
  if (!files.some(({ what }) => what === 'server entry') && byHand.length > 0) {
    print();
    print(entryText(entry));
  }
}

function outcomeOf({ outcome, reason }: PrimedFile): string {
  return reason === undefined ? outcome : `${outcome}: ${reason}`;
}
