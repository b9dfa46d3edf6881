import type { Agent } from '../../agents/agent.ts';
import { KNOWN_AGENTS } from '../../agents/index.ts';
import { type ServerListAgent, serverListAgents } from '../../agents/server-files.ts';
import { nameHint } from '../../core/text/name-hint.ts';
import { UsageError } from '../terminal/usage-error.ts';

/**
 * Returns the agent with this name.
 * @throws UsageError if there is none whose list of servers can be read and written
 */
export function agentCalled(name: string, agents: readonly Agent[] = KNOWN_AGENTS): ServerListAgent {
  const usable = serverListAgents(agents);
  const found = usable.find((agent) => agent.name === name);
  if (found !== undefined) return found;
  const hint = nameHint(
    name,
    usable.map((agent) => agent.name),
  );
  throw new UsageError(`there is no agent "${name}". ${hint}`);
}
