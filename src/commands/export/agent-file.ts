import {
  type AgentName,
  agentCalled,
  projectServerFile,
  type ServerFile,
  userServerFile,
} from '../../agents/agents.ts';
import { userFolders } from '../../agents/user-folders.ts';
import type { Environment } from '../../core/settings/environment.ts';

/** Whose servers: of all projects of the user, or of one project. */
export type ExportScope = 'user' | 'project';

/** An export that cannot be. */
export class ExportError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ExportError';
  }
}

/**
 * The file of an agent that our entry stands in.
 * @throws ExportError where the agent has none for a project
 */
export function agentFile(agent: AgentName, scope: ExportScope, { env, cwd }: AgentFilePlace): ServerFile {
  const file = scope === 'user' ? userServerFile(agent, userFolders(env)) : projectServerFile(agent, cwd);
  if (file !== undefined) return file;
  throw new ExportError(
    `${agentCalled(agent)!.title} has one list of servers for all projects: leave out --scope project`,
  );
}

export interface AgentFilePlace {
  readonly env: Environment;
  readonly cwd: string;
}
