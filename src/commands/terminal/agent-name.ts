import { nameHint } from '../../core/text/name-hint.ts';
import { AGENT_NAMES, type AgentName } from '../import/import-agent.ts';
import { UsageError } from './call-arguments.ts';

/** @throws UsageError where it is the name of no agent */
export function agentName(word: string): AgentName {
  const name = AGENT_NAMES.find((one) => one === word);
  if (name !== undefined) return name;
  throw new UsageError(`there is no agent "${word}". ${nameHint(word, AGENT_NAMES)}`);
}
