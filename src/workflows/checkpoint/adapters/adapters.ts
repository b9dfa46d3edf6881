import type { Agent, AgentClient } from '../../../agents/agent.ts';
import { KNOWN_AGENTS } from '../../../agents/index.ts';

/** An agent as checkpoints see it: its name in them, and how much of a conversation it can use. */
export interface Adapter extends Pick<AgentClient, 'consumes'> {
  readonly ide: string;
}

const GENERIC: Adapter = { ide: 'generic', consumes: 'L1' };

/**
 * Returns the adapter for the name that a client gives itself, or for the name of an agent in a checkpoint. Clients that
 * are not known get `generic`.
 */
export function adapterFor(name: string | undefined, agents: readonly Agent[] = KNOWN_AGENTS): Adapter {
  const word = (name ?? '').slice(0, 200).trim().toLowerCase().replaceAll('_', '-');
  const known = agents.find(({ client }) => client?.names.test(word));
  return known?.client === undefined ? GENERIC : { ide: known.name, consumes: known.client.consumes };
}
