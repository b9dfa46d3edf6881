import path from 'node:path';
import { type AgentServer, type AgentSystem, readAgentServer } from '../../agents/agent-server.ts';
import { AgentFileError, parseAgentText } from '../../agents/agent-text.ts';
import { inputsIn, plainText, type ReferenceMeaning, variableOfInput } from '../../agents/references.ts';
import { findServerLists, type ServerList } from '../../agents/server-lists.ts';
import { isInside } from '../../core/folders/is-inside.ts';

/** A server, and where it was found. */
export interface FoundServer extends AgentServer {
  readonly file: string;
  /** The keys that lead to the list it is in. */
  readonly list: readonly string[];
  /** The project that it is for; absent if it is for all. */
  readonly root: string | undefined;
  /** Inputs that its user is asked for: our variable, and the text of the question. */
  readonly asks: readonly string[];
  /** Names of the variables in its `envFile`; absent if it has none, or if the file could not be read. */
  readonly fileVariables?: readonly string[];
}

/** A server that is not as servers are. */
export interface FaultyServer {
  readonly name: string;
  readonly fault: string;
}

export interface AgentFileFacts {
  readonly file: string;
  readonly hasReferences: boolean;
  readonly hasBareReferences: boolean;
  /** The project whose file this is; `undefined` for a file of the user. */
  readonly root: string | undefined;
  /** Lists for other projects than this one are passed over. */
  readonly cwd: string;
  /** Folder of the config that is to be written. */
  readonly configFolder: string;
  /** The system on which the servers will run. */
  readonly system: AgentSystem;
}

export interface ReadServers {
  readonly servers: readonly FoundServer[];
  readonly faulty: readonly FaultyServer[];
  /** True if there is a list, which may be empty. */
  readonly hasList: boolean;
  /** Names of servers that are switched off for this project. */
  readonly switchedOff: readonly string[];
}

/**
 * Returns the servers in the text of an agent's file.
 * @throws AgentFileError that says what is wrong with it, and where; it quotes no value
 */
export function readServers(text: string, facts: AgentFileFacts): ReadServers {
  const lists = findServerLists(parseAgentText(text, facts.file)).filter((list) => isForHere(list, facts.cwd));
  const faulty: FaultyServer[] = [];
  const servers = lists.flatMap((list) =>
    Object.entries(list.servers).flatMap(([name, raw]) => {
      try {
        return [readServer(name, raw, list, facts)];
      } catch (error) {
        if (!(error instanceof AgentFileError)) throw error;
        faulty.push({ name, fault: error.message });
        return [];
      }
    }),
  );
  return { servers, faulty, hasList: lists.length > 0, switchedOff: lists.flatMap((list) => list.switchedOff) };
}

/** An agent that is started in a folder uses the lists of the projects around it. */
function isForHere({ folder }: ServerList, cwd: string): boolean {
  return folder === undefined || isInside(folder, cwd);
}

function readServer(name: string, raw: unknown, list: ServerList, facts: AgentFileFacts): FoundServer {
  const root = list.folder ?? facts.root;
  const meaning: ReferenceMeaning = {
    hasReferences: facts.hasReferences,
    hasBareReferences: facts.hasBareReferences,
    workspace: root === undefined ? undefined : folderText(root, facts.configFolder),
    workspaceName: root === undefined ? undefined : path.basename(root),
    inputs: list.inputs,
  };
  const server = readAgentServer(name, raw, { meaning, list: list.path, system: facts.system });
  return { ...server, file: facts.file, list: list.path, root, asks: facts.hasReferences ? asksOf(raw, list) : [] };
}

/** Returns a folder as our config names it. */
function folderText(folder: string, configFolder: string): string {
  return folder === configFolder ? '${VIADUCT_CONFIG_DIR}' : plainText(folder);
}

function asksOf(raw: unknown, { inputs }: ServerList): string[] {
  const ids = new Set(inputsIn(JSON.stringify(raw)));
  return [...ids].map((id) => {
    const { description } = inputs.find((input) => input.id === id) ?? {};
    return `${variableOfInput(id)}: its user was asked for it${description === undefined ? '' : ` ("${description}")`}`;
  });
}
