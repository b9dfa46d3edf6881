import path from 'node:path';
import { addEntry, type GatewayEntry, removeEntry } from '../../../../agents/gateway-entry.ts';
import type { UserFolders } from '../../../../agents/user-folders.ts';
import { addBlock, removeBlock } from '../files/managed-block.ts';
import { AGENTS, type AgentFiles } from './agents.ts';
import { addHooks, removeHooks } from './claude-hooks.ts';
import {
  hasIdeBridgeEntry,
  hasIdeBridgeHooks,
  hasIdeBridgeText,
  isIdeBridgeFile,
  withoutIdeBridgeEntry,
  withoutIdeBridgeHooks,
  withoutIdeBridgeText,
} from './ide-bridge.ts';
import { instructionsFor } from './instructions.ts';

/** One file that is to be changed, and how. */
export interface FileChange {
  readonly file: string;
  readonly what: 'instructions' | 'server entry' | 'hooks';
  /** The next text out of the one that is there; `undefined` is no file. Throws FileEditError where that cannot be. */
  readonly edit: (text: string | undefined) => string | undefined;
}

export interface PrimingOptions {
  readonly agent: string;
  /** The project's folder; absent where the files of the user are meant. */
  readonly folder: string | undefined;
  readonly user: UserFolders;
  readonly exists: (file: string) => boolean;
  readonly entry: GatewayEntry;
  /** How a shell starts our hook; absent where no hooks are wanted. */
  readonly hookCommand: ((does: 'load' | 'save') => string) | undefined;
  readonly remove: boolean;
  /** Takes out what ide-bridge has written into the same files; its hooks are replaced by this. */
  readonly replaceIdeBridge?: { readonly hookCommand: (does: 'load' | 'save') => string } | undefined;
}

/** What ide-bridge may have left in a file. */
export interface IdeBridgeTrace {
  readonly file: string;
  readonly what: 'its text' | 'its hooks' | 'its server';
  readonly isIn: (text: string) => boolean;
}

export interface PrimingPlan {
  readonly changes: readonly FileChange[];
  /** Where to look for ide-bridge. */
  readonly traces: readonly IdeBridgeTrace[];
  readonly byHand: readonly string[];
}

/** The names that `viaduct checkpoint prime` takes. */
export const PRIMABLE_AGENTS: readonly string[] = AGENTS.map(({ name }) => name);

/** What has to be written, or taken out again, so that an agent saves and loads by itself. */
export function planPriming(options: PrimingOptions): PrimingPlan {
  const agent = AGENTS.find(({ name }) => name === options.agent);
  if (agent === undefined) return { changes: [], traces: [], byHand: [] };
  const { folder, user, exists, remove } = options;
  const files = folder === undefined ? agent.ofUser(user) : agent.inProject(folder, exists);
  return {
    changes: [
      ...instructionChanges(files, options),
      ...ideBridgeFile(files, options),
      ...serverChange(files, options),
      ...hookChange(options),
    ],
    traces: remove ? [] : tracesIn(files, options),
    byHand: remove ? [] : files.byHand,
  };
}

function tracesIn(
  { instructions, ideBridgeFile: own, servers }: AgentFiles,
  options: PrimingOptions,
): IdeBridgeTrace[] {
  const settings = claudeSettings(options);
  return [
    ...(instructions === undefined
      ? []
      : [{ file: instructions.file, what: 'its text' as const, isIn: hasIdeBridgeText }]),
    ...(own === undefined ? [] : [{ file: own, what: 'its text' as const, isIn: isIdeBridgeFile }]),
    ...(servers === undefined
      ? []
      : [
          {
            file: servers.file,
            what: 'its server' as const,
            isIn: (text: string) => hasIdeBridgeEntry(text, servers.form),
          },
        ]),
    ...(settings === undefined ? [] : [{ file: settings, what: 'its hooks' as const, isIn: hasIdeBridgeHooks }]),
  ];
}

/** A file that is ide-bridge's alone goes as a whole. */
function ideBridgeFile({ ideBridgeFile: file }: AgentFiles, options: PrimingOptions): FileChange[] {
  const { remove, replaceIdeBridge, exists } = options;
  if (file === undefined || remove || replaceIdeBridge === undefined || !exists(file)) return [];
  const edit: FileChange['edit'] = (old) => (old !== undefined && isIdeBridgeFile(old) ? undefined : old);
  return [{ file, what: 'instructions', edit }];
}

function instructionChanges(files: AgentFiles, { agent, remove, replaceIdeBridge }: PrimingOptions): FileChange[] {
  if (files.instructions === undefined) return [];
  const places = remove ? (files.formerInstructions ?? [files.instructions]) : [files.instructions];
  return places.map(({ file, header }) => {
    const text = { header, body: instructionsFor };
    const edit: FileChange['edit'] = remove
      ? (old) => (old === undefined ? undefined : removeBlock(old, agent, text))
      : (old) => addBlock(replaceIdeBridge && old ? withoutIdeBridgeText(old) : old, agent, text);
    return { file, what: 'instructions', edit };
  });
}

function serverChange({ servers }: AgentFiles, { entry, remove, replaceIdeBridge }: PrimingOptions): FileChange[] {
  if (servers === undefined) return [];
  const { file, form } = servers;
  const edit: FileChange['edit'] = remove
    ? (old) => (old === undefined ? undefined : removeEntry(old, form))
    : (old) => addEntry(replaceIdeBridge && old ? withoutIdeBridgeEntry(old, form) : old, form, entry);
  return [{ file, what: 'server entry', edit }];
}

function claudeSettings({ agent, folder, user }: PrimingOptions): string | undefined {
  return agent === 'claude-code' ? path.join(folder ?? user.home, '.claude', 'settings.json') : undefined;
}

/** Hooks come on request, and in the place of ide-bridge's; they go with everything else. */
function hookChange(options: PrimingOptions): FileChange[] {
  const { hookCommand, remove, replaceIdeBridge } = options;
  const file = claudeSettings(options);
  if (file === undefined) return [];
  if (remove) return [{ file, what: 'hooks', edit: (old) => (old === undefined ? undefined : removeHooks(old)) }];
  const command = hookCommand ?? replaceIdeBridge?.hookCommand;
  if (command === undefined || (hookCommand === undefined && !options.exists(file))) return [];
  const edit: FileChange['edit'] = (old) => {
    const rest = replaceIdeBridge && old ? withoutIdeBridgeHooks(old) : old;
    return hookCommand === undefined && rest === old ? old : addHooks(rest, command);
  };
  return [{ file, what: 'hooks', edit }];
}
