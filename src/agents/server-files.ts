import type { Agent, AgentServers } from './agent.ts';
import type { ServerFile } from './entry-form.ts';
import type { UserFolders } from './user-folders.ts';

/** An agent whose list of MCP servers Viaduct can read and write. */
export interface ServerListAgent extends Agent {
  readonly servers: AgentServers;
}

/** Returns the agents whose lists of MCP servers Viaduct can read and write. */
export function serverListAgents(agents: readonly Agent[]): ServerListAgent[] {
  return agents.filter((agent): agent is ServerListAgent => agent.servers !== undefined);
}

/** Returns the file into which a server for all projects is written. */
export function userServerFile({ servers: { form, ofUser } }: ServerListAgent, user: UserFolders): ServerFile {
  return { file: ofUser(user)[0], form };
}

/** Returns the file into which a server for one project is written; `undefined` if the agent has none. */
export function projectServerFile({ servers }: ServerListAgent, folder: string): ServerFile | undefined {
  const [file] = servers.inProject(folder);
  return file === undefined ? undefined : { file, form: servers.form };
}
