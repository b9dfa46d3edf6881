import { AGENT_NAMES, type AgentName } from '../../agents/agents.ts';
import { nameHint } from '../../core/text/name-hint.ts';
import { UsageError } from './usage-error.ts';

/** @throws UsageError where it is the name of no agent */
export function agentName(word: string): AgentName {
  const name = AGENT_NAMES.find((one) => one === word);
  if (name !== undefined) return name;
  throw new UsageError(`there is no agent "${word}". ${nameHint(word, AGENT_NAMES)}`);
}
