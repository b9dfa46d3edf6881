import type { Agent } from '../../agents/agent.ts';
import { KNOWN_AGENTS } from '../../agents/index.ts';
import { serverListAgents } from '../../agents/server-files.ts';
import type { Environment } from '../../core/settings/environment.ts';
import { type AgentConfigFile, agentConfigFiles, readAgentConfigFile } from '../server-lists/read-agent.ts';

/** An agent's config on this machine. */
export interface FoundAgent {
  /** Name on the command line, and name for people. */
  readonly agent: string;
  readonly title: string;
  readonly file: string;
  /** The number of its servers; `undefined` if the file cannot be read. */
  readonly servers: number | undefined;
}

/** Finds the files in which agents list their servers, for this user and for the project in `cwd`. Only reads. */
export async function findAgents(
  env: Environment,
  cwd: string,
  agents: readonly Agent[] = KNOWN_AGENTS,
): Promise<FoundAgent[]> {
  const found = serverListAgents(agents).map(async (agent) => {
    const counts = await Promise.all(agentConfigFiles(agent, env, cwd).map((place) => count(place, cwd)));
    return counts.filter((one) => one !== undefined).map((one) => ({ agent: agent.name, title: agent.title, ...one }));
  });
  return (await Promise.all(found)).flat();
}

async function count(place: AgentConfigFile, cwd: string): Promise<Pick<FoundAgent, 'file' | 'servers'> | undefined> {
  const { file } = place;
  try {
    const reading = await readAgentConfigFile(place, { cwd, configPath: file });
    return reading?.hasList === true ? { file, servers: reading.servers.length + reading.faulty.length } : undefined;
  } catch {
    return { file, servers: undefined };
  }
}
