import type { Agent } from '../../agents/agent.ts';
import { KNOWN_AGENTS } from '../../agents/index.ts';

/** An entry for this gateway in the config of an agent, to paste. */
export interface ClientEntry {
  readonly client: string;
  readonly where: string;
  readonly text: string;
}

/** The addresses of this gateway. */
export interface EntryFacts {
  readonly url: string;
  /** Program and arguments of the stdio form. */
  readonly command: string;
  readonly args: readonly string[];
}

/** Returns the entries of all agents that have one to paste, each in both forms: by command and by URL. */
export function clientEntries(
  { url, command, args }: EntryFacts,
  agents: readonly Agent[] = KNOWN_AGENTS,
): ClientEntry[] {
  return agents.flatMap(({ title, shownEntry }) => {
    if (shownEntry === undefined) return [];
    const { where, text } = shownEntry;
    return [
      { client: `${title}, by command`, where, text: text({ command, args }) },
      { client: `${title}, by URL`, where, text: text({ url }) },
    ];
  });
}
