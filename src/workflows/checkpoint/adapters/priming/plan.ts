import path from 'node:path';
import { addEntry, type GatewayEntry, removeEntry } from '../../../../agents/gateway-entry.ts';
import type { UserFolders } from '../../../../agents/user-folders.ts';
import { addBlock, removeBlock } from '../files/managed-block.ts';
import { AGENTS, type AgentFiles } from './agents.ts';
import { addHooks, removeHooks } from './claude-hooks.ts';
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
}

export interface PrimingPlan {
  readonly changes: readonly FileChange[];
  readonly byHand: readonly string[];
}

/** The names that `viaduct checkpoint prime` takes. */
export const PRIMABLE_AGENTS: readonly string[] = AGENTS.map(({ name }) => name);

/** What has to be written, or taken out again, so that an agent saves and loads by itself. */
export function planPriming(options: PrimingOptions): PrimingPlan {
  const agent = AGENTS.find(({ name }) => name === options.agent);
  if (agent === undefined) return { changes: [], byHand: [] };
  const { folder, user, exists, remove } = options;
  const files = folder === undefined ? agent.ofUser(user) : agent.inProject(folder, exists);
  return {
    changes: [...instructionChanges(files, options), ...serverChange(files, options), ...hookChange(options)],
    byHand: remove ? [] : files.byHand,
  };
}

function instructionChanges(files: AgentFiles, { agent, remove }: PrimingOptions): FileChange[] {
  if (files.instructions === undefined) return [];
  const places = remove ? (files.formerInstructions ?? [files.instructions]) : [files.instructions];
  return places.map(({ file, header }) => {
    const text = { header, body: instructionsFor };
    const edit: FileChange['edit'] = remove
      ? (old) => (old === undefined ? undefined : removeBlock(old, agent, text))
      : (old) => addBlock(old, agent, text);
    return { file, what: 'instructions', edit };
  });
}

function serverChange({ servers }: AgentFiles, { entry, remove }: PrimingOptions): FileChange[] {
  if (servers === undefined) return [];
  const { file, form } = servers;
  const edit: FileChange['edit'] = remove
    ? (old) => (old === undefined ? undefined : removeEntry(old, form))
    : (old) => addEntry(old, form, entry);
  return [{ file, what: 'server entry', edit }];
}

/** Hooks come on request; they go with everything else. */
function hookChange({ agent, folder, user, hookCommand, remove }: PrimingOptions): FileChange[] {
  if (agent !== 'claude-code') return [];
  const file = path.join(folder ?? user.home, '.claude', 'settings.json');
  if (remove) return [{ file, what: 'hooks', edit: (old) => (old === undefined ? undefined : removeHooks(old)) }];
  if (hookCommand === undefined) return [];
  return [{ file, what: 'hooks', edit: (old) => addHooks(old, hookCommand) }];
}
