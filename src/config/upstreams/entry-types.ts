import type { UpstreamEntry } from '../../core/settings/upstream-entry.ts';

export type EntryType = UpstreamEntry['type'];

interface TypeRule {
  readonly type: EntryType;
  /** As it may be written in the file: our own name for it first, then those of agents. */
  readonly spellings: readonly [EntryType, ...string[]];
  /** What its url begins with; an entry without any has a command. */
  readonly protocols: readonly string[];
}

/** How servers are reached. The first one with the protocol of a url is meant where no type is written. */
const RULES: readonly TypeRule[] = [
  { type: 'stdio', spellings: ['stdio'], protocols: [] },
  { type: 'http', spellings: ['http', 'streamable-http'], protocols: ['http:', 'https:'] },
  { type: 'sse', spellings: ['sse'], protocols: ['http:', 'https:'] },
  { type: 'tcp', spellings: ['tcp'], protocols: ['tcp:'] },
  { type: 'unix', spellings: ['unix'], protocols: ['unix:'] },
  { type: 'websocket', spellings: ['websocket', 'ws'], protocols: ['ws:', 'wss:'] },
  { type: 'ide-rest', spellings: ['ide-rest'], protocols: ['http:', 'https:'] },
];

export const TYPE_SPELLINGS: readonly string[] = RULES.flatMap(({ spellings }) => spellings);

export const URL_PROTOCOLS: readonly string[] = [...new Set(RULES.flatMap(({ protocols }) => protocols))];

/** `undefined` where a type is no type, or an entry has neither a command nor a url nor ports. */
export function typeOfEntry(entry: Readonly<Record<string, unknown>>): EntryType | undefined {
  if (entry.type !== undefined) return typeOfSpelling(entry.type);
  if ('command' in entry) return 'stdio';
  if (!('url' in entry)) return 'ports' in entry ? 'ide-rest' : undefined;
  // A url that is none, or has a variable in it, is looked at elsewhere.
  return RULES.find(({ protocols }) => protocols.includes(protocolOf(entry.url)))?.type ?? 'http';
}

/** What the url of a type begins with. */
export function protocolsOf(type: EntryType): readonly string[] {
  return RULES.find((rule) => rule.type === type)?.protocols ?? [];
}

function typeOfSpelling(spelling: unknown): EntryType | undefined {
  return RULES.find(({ spellings }) => (spellings as readonly unknown[]).includes(spelling))?.type;
}

/** Such as `https:`; `''` where there is none. */
export function protocolOf(url: unknown): string {
  return typeof url === 'string' && URL.canParse(url) ? new URL(url).protocol : '';
}
