import type { ServerFile } from '../../agents/entry-form.ts';
import { projectServerFile, type ServerListAgent, userServerFile } from '../../agents/server-files.ts';
import type { Environment } from '../../core/settings/environment.ts';
import { ownUserFolders } from '../user-files/user-folders.ts';

/** The servers to change: those of the user, for all projects, or those of one project. */
export type ExportScope = 'user' | 'project';

/** The reason why an export cannot be made. */
export class ExportError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ExportError';
  }
}

/** The user and the project whose files an export changes. */
export interface AgentFilePlace {
  readonly env: Environment;
  readonly cwd: string;
}

/**
 * Returns the file of an agent that holds the entry for the gateway.
 * @throws ExportError if the agent has none for a project
 */
export function agentFile(agent: ServerListAgent, scope: ExportScope, { env, cwd }: AgentFilePlace): ServerFile {
  const file = scope === 'user' ? userServerFile(agent, ownUserFolders(env)) : projectServerFile(agent, cwd);
  if (file !== undefined) return file;
  throw new ExportError(`${agent.title} has one list of servers for all projects: leave out --scope project`);
}
