import type { ServerListAgent } from '../../agents/server-files.ts';
import { escaped } from '../../core/text/escaped.ts';
import { noticeLine } from '../../gateway/trust/notices.ts';
import { gatewayAddress } from '../own-entry/gateway-address.ts';
import { type OwnCommand, ownCommand, ownCommandByFiles, ownScript } from '../own-entry/own-command.ts';
import { agentCalled } from '../server-lists/agent-called.ts';
import { openSettings } from '../terminal/open-settings.ts';
import { print, printJson } from '../terminal/print.ts';
import { requireProfile } from '../terminal/require-profile.ts';
import { tellNotices } from '../terminal/tell-notices.ts';
import {
  type ExportRequest,
  type ExportScope,
  type PreparedChange,
  prepareExport,
  prepareUndo,
  writeExport,
  writeUndo,
} from './export-gateway.ts';

export interface ExportOptions {
  readonly config?: string;
  readonly write?: boolean;
  readonly scope: ExportScope;
  readonly profile?: string;
  readonly http?: boolean;
  readonly replace?: boolean;
  readonly undo?: boolean;
  readonly json?: boolean;
}

/** Shows an agent's file with our entry added or removed, or writes it. */
export async function exportGateway(word: string, options: ExportOptions): Promise<void> {
  const request: ExportRequest = {
    agent: agentCalled(word),
    scope: options.scope,
    env: process.env,
    cwd: process.cwd(),
  };
  if (options.undo === true) await undo(request, options);
  else await write(request, options);
}

async function write(request: ExportRequest, options: ExportOptions): Promise<void> {
  const { entry, configPath, hasConfig, notices, needs } = await addressFor(request, options);
  tellNotices(notices);
  const prepared = await prepareExport(request, {
    entry,
    configPath,
    ownScript: ownScript(),
    isReplacing: options.replace === true,
  });
  const isWritten = options.write === true && prepared.before !== prepared.after;
  const backup = isWritten ? await writeExport(prepared, process.env) : undefined;
  const notes = [
    ...prepared.kept.map(({ name, reason }) => `${name} stays: ${reason}`),
    ...(prepared.doubled.length === 0
      ? []
      : [`the gateway has these as well, so they run twice: ${prepared.doubled.join(', ')}; --replace removes them`]),
    ...(hasConfig ? [] : ['there is no config yet: write one with "viaduct init --global"']),
    ...needs,
    ...(isInNpxCache(request.agent) ? [NPX_CACHE] : []),
    ...notices.map(noticeLine),
    ...(backup === undefined ? [] : [`the previous text is in ${backup}; the same command with --undo restores it`]),
  ];
  if (options.json === true) {
    const removed = prepared.change.removed.map(({ path }) => path.at(-1)!);
    printJson({ ...reportOf(prepared, isWritten), entry, removed, backup, notes });
    return;
  }
  show(prepared, isWritten);
  for (const note of notes) print(`- ${escaped(note)}`);
}

async function addressFor({ agent, scope }: ExportRequest, { config, profile, http }: ExportOptions) {
  if (profile !== undefined) requireProfile(await openSettings(config, 'error'), profile);
  const scopeOf = { isForUser: scope === 'user', isByUrl: http === true, profile };
  return gatewayAddress(config, process.env, { ...scopeOf, ...commandFor(agent) });
}

async function undo(request: ExportRequest, options: ExportOptions): Promise<void> {
  const prepared = await prepareUndo(request);
  const isWritten = options.write === true && prepared.before !== prepared.after;
  if (isWritten) await writeUndo(prepared, process.env);
  if (options.json === true) printJson(reportOf(prepared, isWritten));
  else show(prepared, isWritten);
}

function reportOf({ file, diff }: PreparedChange, written: boolean) {
  return { file, written, diff };
}

function show(change: PreparedChange, isWritten: boolean): void {
  const { file, before, after } = change;
  if (before === after) print(`${file} needs no change.`);
  else if (isWritten) print(`${file} is ${after === undefined ? 'removed: nothing else was in it' : 'written'}.`);
  else showDiff(change);
}

function showDiff({ file, before, after, diff }: PreparedChange): void {
  print(`--- ${before === undefined ? 'nothing: the file is new' : file}`);
  print(`+++ ${after === undefined ? 'nothing: the file is removed' : file}`);
  for (const line of diff) print(line);
  print();
  print('Nothing was written. To write it, run the same command with --write.');
}

const NPX_CACHE =
  'the entry names files in the cache of npx, which npm may empty: install Viaduct (npm install -g mcp-viaduct) and export again';

function isInNpxCache({ servers }: ServerListAgent): boolean {
  return servers.startsWithoutShell === true && ownCommand().command === 'npx';
}

/** Returns the command that the agent can start: by full paths where it does not have the PATH of a shell. */
function commandFor({ servers }: ServerListAgent): OwnCommand {
  return servers.startsWithoutShell === true ? ownCommandByFiles() : ownCommand();
}
