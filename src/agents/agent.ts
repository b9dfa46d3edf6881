import type { EntryForm, ServerFile } from './entry-form.ts';
import type { GatewayEntry } from './gateway-entry.ts';
import type { UserFolders } from './user-folders.ts';

/** Everything that Viaduct knows about an agent. A part that is missing means that Viaduct cannot do this for the agent. */
export interface Agent {
  /** Name on the command line and in checkpoints. */
  readonly name: string;
  /** Name for people. */
  readonly title: string;
  /** The agent as a client of the gateway. */
  readonly client?: AgentClient;
  /** Its list of MCP servers, for `viaduct import`, `export` and `init`. */
  readonly servers?: AgentServers;
  /** The entry that `viaduct serve` prints for it. */
  readonly shownEntry?: ShownEntry;
  /** The files that `viaduct checkpoint prime` writes. */
  readonly priming?: AgentPriming;
  /** The place where it keeps conversations, for `viaduct checkpoint capture`. */
  readonly conversation?: AgentConversation;
  /** Folder of the user with its settings, which no tool may change. */
  readonly settingsFolder?: (user: UserFolders) => string;
  /** Files of any folder that tell it what to run; see `CommandFiles`. */
  readonly commandFiles?: readonly string[];
}

/** An agent as a client of the gateway. */
export interface AgentClient {
  /** Matches the name that it gives itself in `clientInfo`, in lower case and with `-` for `_`. */
  readonly names: RegExp;
  /** The part of a conversation that it can use: a level of the checkpoint bundle. */
  readonly consumes: 'L1' | 'L2' | 'L3';
}

/** The files in which an agent lists its MCP servers, and how it reads them. */
export interface AgentServers {
  readonly form: EntryForm;
  /** The agent replaces `${…}` in its entries; otherwise it is plain text. */
  readonly hasReferences: boolean;
  /** The agent replaces `${NAME}` by a variable of its environment; otherwise only `${env:NAME}` means one. */
  readonly hasBareReferences?: boolean;
  /** The agent can connect to a server by a URL in its file. */
  readonly hasUrls: boolean;
  /** The agent starts programs without the PATH of a shell, so that an entry needs full paths. */
  readonly startsWithoutShell?: boolean;
  /** Files for all projects; an entry is written into the first. */
  readonly ofUser: (user: UserFolders) => readonly [string, ...string[]];
  /** Files of one project; empty if the agent has none. An entry is written into the first. */
  readonly inProject: (folder: string) => readonly string[];
}

/** An entry for the gateway that users paste. */
export interface ShownEntry {
  /** The place to paste it. */
  readonly where: string;
  readonly text: (entry: GatewayEntry) => string;
}

/** The files that make an agent save and load checkpoints by itself. */
export interface AgentPriming {
  /** Files of a project. `exists` tells which files are there. */
  readonly inProject: (folder: string, exists: (file: string) => boolean) => PrimingFiles;
  /** Files of the user, for all projects. */
  readonly ofUser: (user: UserFolders) => PrimingFiles;
  /** Settings in the format of Claude Code that can hold hooks, in the folder of the project or the user. */
  readonly hookSettings?: (folder: string) => string;
}

/** A file in which an agent reads what it should do. */
export interface InstructionFile {
  readonly file: string;
  /** Text at the beginning of a file that is ours alone. */
  readonly header: string;
}

/** The files of one priming. */
export interface PrimingFiles {
  readonly instructions?: InstructionFile;
  /** Files in which the instructions may have been written before, when other files were there. */
  readonly formerInstructions?: readonly InstructionFile[];
  /** The file for the server entry, if `Agent.servers` does not give it. */
  readonly servers?: ServerFile;
  /** The file in which ide-bridge keeps its instructions, if it has one of its own. */
  readonly ideBridgeFile?: string;
  /** Steps that the user has to take, because there is no file for them. */
  readonly byHand: readonly string[];
}

/** Formats of conversations on disk. Each has a reader in commands/checkpoint/agents/. */
export type ConversationFormat = 'claude-session' | 'cursor-state';

/** The conversations of an agent on disk. */
export interface AgentConversation {
  readonly format: ConversationFormat;
  readonly folder: (user: UserFolders) => string;
}

/** Returns the agent; it only checks the type. */
export function defineAgent<const T extends Agent>(agent: T): T {
  return agent;
}

/** Returns an instruction file that users may have written as well. */
export function plainFile(file: string): InstructionFile {
  return { file, header: '' };
}
