import type { Agent } from '../../../agents/agent.ts';
import { KNOWN_AGENTS } from '../../../agents/index.ts';
import type { Environment } from '../../../core/settings/environment.ts';
import type { JsonObject } from '../../../core/stores/checkpoint-store.ts';
import type { ExtractedConversation } from '../../../workflows/checkpoint/adapters/extract/conversation.ts';
import { instructionsIn, kiroSpecsIn } from '../../../workflows/checkpoint/adapters/extract/project-files.ts';
import { ownUserFolders } from '../../user-files/user-folders.ts';
import { CONVERSATION_READERS } from './conversation-readers.ts';
import { readProjectFiles } from './read-project-files.ts';

/** The agent and the project to read. */
export interface AgentSource {
  /** Name of the agent. */
  readonly ide: string;
  /** The project's folder. */
  readonly folder: string;
  readonly env: Environment;
  /** The number of turns of the conversation to take. */
  readonly keep: number;
  /** Leaves out rules and specs, which everyone who works in the project's folder has. */
  readonly conversationOnly?: boolean;
  /** File of the session, if the agent has one for each session; otherwise the newest of the folder. */
  readonly transcript?: string | undefined;
}

/**
 * Reads what an agent has left on disk about its work in a project.
 * @returns a patch for the bundle; empty if there is nothing
 */
export async function readAgent(source: AgentSource, agents: readonly Agent[] = KNOWN_AGENTS): Promise<JsonObject> {
  const files = source.conversationOnly === true ? [] : await readProjectFiles(source.folder);
  const conversation = await conversationOf(source, agents);
  const instructions = instructionsIn(files);
  const specs = kiroSpecsIn(files);
  return {
    ...(conversation !== undefined && { conversation }),
    ...(instructions.length > 0 && { instructions }),
    ...(specs.length > 0 && { specs }),
  };
}

async function conversationOf(
  { ide, folder, env, keep, transcript }: AgentSource,
  agents: readonly Agent[],
): Promise<ExtractedConversation | undefined> {
  const conversation = agents.find(({ name }) => name === ide)?.conversation;
  if (conversation === undefined) return undefined;
  const state = conversation.folder(ownUserFolders(env));
  return CONVERSATION_READERS[conversation.format]({ state, project: folder, keep, transcript });
}
