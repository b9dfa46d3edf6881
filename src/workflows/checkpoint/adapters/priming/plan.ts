import type { Agent, AgentPriming, PrimingFiles } from '../../../../agents/agent.ts';
import { addEntry, type GatewayEntry, removeEntry } from '../../../../agents/gateway-entry.ts';
import { KNOWN_AGENTS } from '../../../../agents/index.ts';
import { projectServerFile, serverListAgents, userServerFile } from '../../../../agents/server-files.ts';
import type { UserFolders } from '../../../../agents/user-folders.ts';
import { addBlock, removeBlock } from '../files/managed-block.ts';
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

/** A file to change, and the change. */
export interface FileChange {
  readonly file: string;
  readonly what: 'instructions' | 'server entry' | 'hooks';
  /** Returns the new text for the present one; `undefined` means no file. Throws FileEditError if that is not possible. */
  readonly edit: (text: string | undefined) => string | undefined;
}

export interface PrimingOptions {
  readonly agent: string;
  /** The project's folder; absent if the files of the user are meant. */
  readonly folder: string | undefined;
  readonly user: UserFolders;
  readonly exists: (file: string) => boolean;
  readonly entry: GatewayEntry;
  /** Returns the shell command of our hook; absent if no hooks are wanted. */
  readonly hookCommand: ((does: 'load' | 'save') => string) | undefined;
  readonly remove: boolean;
  /** Removes what ide-bridge has written into the same files, and replaces its hooks by ours. */
  readonly replaceIdeBridge?: { readonly hookCommand: (does: 'load' | 'save') => string } | undefined;
}

/** Something that ide-bridge may have left in a file. */
export interface IdeBridgeTrace {
  readonly file: string;
  readonly what: 'its text' | 'its hooks' | 'its server';
  readonly isIn: (text: string) => boolean;
}

export interface PrimingPlan {
  readonly changes: readonly FileChange[];
  /** Places in which to look for ide-bridge. */
  readonly traces: readonly IdeBridgeTrace[];
  readonly byHand: readonly string[];
}

/** An agent that can be primed. */
interface PrimableAgent extends Agent {
  readonly priming: AgentPriming;
}

/** Returns the agents that `viaduct checkpoint prime` can set up. */
export function primableAgents(agents: readonly Agent[] = KNOWN_AGENTS): PrimableAgent[] {
  return agents.filter((agent): agent is PrimableAgent => agent.priming !== undefined);
}

/** Plans what to write or remove so that an agent saves and loads by itself, or no longer does. */
export function planPriming(options: PrimingOptions, agents: readonly Agent[] = KNOWN_AGENTS): PrimingPlan {
  const agent = primableAgents(agents).find(({ name }) => name === options.agent);
  if (agent === undefined) return { changes: [], traces: [], byHand: [] };
  const files = filesOf(agent, options);
  const { remove } = options;
  return {
    changes: [
      ...instructionChanges(files, options),
      ...ideBridgeFile(files, options),
      ...serverChange(files, options),
      ...hookChange(files, options),
    ],
    traces: remove ? [] : tracesIn(files),
    byHand: remove ? [] : files.byHand,
  };
}

interface AgentFiles extends PrimingFiles {
  readonly hookSettings: string | undefined;
}

/** Returns the files to write. The file of the server entry is that of the agent's list, unless priming has another. */
function filesOf(agent: PrimableAgent, { folder, user, exists }: PrimingOptions): AgentFiles {
  const { inProject, ofUser, hookSettings } = agent.priming;
  const files = folder === undefined ? ofUser(user) : inProject(folder, exists);
  const [withList] = serverListAgents([agent]);
  const listed =
    withList && (folder === undefined ? userServerFile(withList, user) : projectServerFile(withList, folder));
  const servers = files.servers ?? listed;
  return { ...files, ...(servers !== undefined && { servers }), hookSettings: hookSettings?.(folder ?? user.home) };
}

function tracesIn({ instructions, ideBridgeFile: own, servers, hookSettings: settings }: AgentFiles): IdeBridgeTrace[] {
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

/** Returns the change to ide-bridge's own file: a file that only ide-bridge wrote is removed as a whole. */
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

/** Returns the change of the hooks: added on request or in place of ide-bridge's, and removed with everything else. */
function hookChange({ hookSettings: file }: AgentFiles, options: PrimingOptions): FileChange[] {
  const { hookCommand, remove, replaceIdeBridge } = options;
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
