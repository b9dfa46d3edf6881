/** How much of a conversation travels: nothing but the state (L0), its summary (L1), some turns (L2), all of them (L3). */
export type FidelityLevel = 'L0' | 'L1' | 'L2' | 'L3';

/** What is known of an agent: its name in checkpoints, and how much of a conversation it gives and can use. */
export interface Adapter {
  readonly ide: string;
  /** What its `clientInfo.name` looks like, in lower case. */
  readonly clientNames: RegExp;
  readonly produces: FidelityLevel;
  readonly consumes: FidelityLevel;
}

/** The first that fits counts: Cursor calls itself `cursor-vscode`. */
const ADAPTERS: readonly Adapter[] = [
  { ide: 'claude-code', clientNames: /^claude([- ]?code)?\b/, produces: 'L3', consumes: 'L3' },
  { ide: 'cursor', clientNames: /^cursor\b/, produces: 'L2', consumes: 'L2' },
  { ide: 'kiro', clientNames: /^(kiro|amazon[- ]q)\b/, produces: 'L1', consumes: 'L1' },
  { ide: 'antigravity', clientNames: /^(google[- ])?(antigravity|gemini)\b/, produces: 'L1', consumes: 'L1' },
  { ide: 'codex', clientNames: /^(openai[- ])?codex\b/, produces: 'L2', consumes: 'L2' },
  { ide: 'vscode', clientNames: /^(visual studio code|vs ?code|github[- ]copilot)\b/, produces: 'L2', consumes: 'L2' },
  { ide: 'zed', clientNames: /^zed\b/, produces: 'L2', consumes: 'L2' },
];

const GENERIC: Adapter = { ide: 'generic', clientNames: /^/, produces: 'L1', consumes: 'L1' };

/** The adapter for a client's own name or for the name of an IDE in a checkpoint; `generic` for those nobody knows. */
export function adapterFor(name: string | undefined): Adapter {
  const word = (name ?? '').slice(0, 200).trim().toLowerCase().replaceAll('_', '-');
  return ADAPTERS.find(({ clientNames }) => clientNames.test(word)) ?? GENERIC;
}

/** What arrives: the lesser of what was produced and what can be used. */
export function negotiate(produced: FidelityLevel, consumed: FidelityLevel): FidelityLevel {
  return produced < consumed ? produced : consumed;
}
