import { userFolders } from '../../../agents/user-folders.ts';
import type { JsonObject } from '../../../core/stores/checkpoint-store.ts';
import type { ExtractedConversation } from '../../../workflows/checkpoint/adapters/extract/conversation.ts';
import { instructionsIn, kiroSpecsIn } from '../../../workflows/checkpoint/adapters/extract/project-files.ts';
import { newestClaudeTranscript, readClaudeTranscript } from './read-claude.ts';
import { readCursorConversation } from './read-cursor.ts';
import { readProjectFiles } from './read-project-files.ts';

export interface AgentSource {
  readonly ide: string;
  /** The project's folder. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How many turns of the conversation to take. */
  readonly keep: number;
  /** Leaves out rules and specs: whoever works in the project's folder has them. */
  readonly conversationOnly?: boolean;
  /** File of a Claude Code session; without it the newest one of the folder. */
  readonly transcript?: string | undefined;
}

/** What an agent has left on the disk about its work in a project, as a patch for the bundle. Empty if that is nothing. */
export async function readAgent(source: AgentSource): Promise<JsonObject> {
  const files = source.conversationOnly === true ? [] : await readProjectFiles(source.folder);
  const conversation = await conversationOf(source);
  const instructions = instructionsIn(files);
  const specs = kiroSpecsIn(files);
  return {
    ...(conversation !== undefined && { conversation }),
    ...(instructions.length > 0 && { instructions }),
    ...(specs.length > 0 && { specs }),
  };
}

async function conversationOf({
  ide,
  folder,
  env,
  keep,
  transcript,
}: AgentSource): Promise<ExtractedConversation | undefined> {
  if (ide === 'cursor') return readCursorConversation(folder, { cursorUser: userFolders(env).cursorUser, keep });
  if (ide !== 'claude-code') return undefined;
  const file = transcript ?? (await newestClaudeTranscript(folder, env));
  return file === undefined ? undefined : readClaudeTranscript(file, keep);
}
