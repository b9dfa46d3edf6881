import type { Fidelity } from '../bundle/schema.ts';

/** What is known of an agent: its name in checkpoints, and how much of a conversation it can use. */
interface Adapter {
  readonly ide: string;
  /** What its `clientInfo.name` looks like, in lower case. */
  readonly clientNames: RegExp;
  /** What it produces is seen by what it saves. */
  readonly consumes: Fidelity;
}

/** The first that fits counts: Cursor calls itself `cursor-vscode`. */
const ADAPTERS: readonly Adapter[] = [
  { ide: 'claude-code', clientNames: /^claude([- ]?code)?\b/, consumes: 'L3' },
  { ide: 'cursor', clientNames: /^cursor\b/, consumes: 'L2' },
  { ide: 'kiro', clientNames: /^(kiro|amazon[- ]q)\b/, consumes: 'L1' },
  { ide: 'antigravity', clientNames: /^(google[- ])?(antigravity|gemini)\b/, consumes: 'L1' },
  { ide: 'codex', clientNames: /^(openai[- ])?codex\b/, consumes: 'L2' },
  { ide: 'vscode', clientNames: /^(visual studio code|vs ?code|github[- ]copilot)\b/, consumes: 'L2' },
  { ide: 'zed', clientNames: /^zed\b/, consumes: 'L2' },
];

const GENERIC: Adapter = { ide: 'generic', clientNames: /^/, consumes: 'L1' };

/** The adapter for a client's own name or for the name of an IDE in a checkpoint; `generic` for those nobody knows. */
export function adapterFor(name: string | undefined): Adapter {
  const word = (name ?? '').slice(0, 200).trim().toLowerCase().replaceAll('_', '-');
  return ADAPTERS.find(({ clientNames }) => clientNames.test(word)) ?? GENERIC;
}
