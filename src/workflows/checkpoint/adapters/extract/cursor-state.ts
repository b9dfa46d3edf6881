import { conversationOf, type ExtractedConversation, type Turn } from './conversation.ts';

/** Reads one value of a table with keys; `undefined` if there is none. */
export type ReadKey = (table: 'ItemTable' | 'cursorDiskKV', key: string) => string | undefined;

export interface CursorDatabases {
  /** `state.vscdb` of the workspace. */
  readonly workspace: ReadKey;
  /** `state.vscdb` of the user, in which newer versions keep the conversation. */
  readonly global: ReadKey;
}

interface Composer {
  readonly composerId?: unknown;
  readonly lastUpdatedAt?: unknown;
  readonly createdAt?: unknown;
}

const USER = 1;
const ASSISTANT = 2;

/**
 * Returns the newest conversation that Cursor has for a workspace. Its format is Cursor's own: what is not understood is
 * left out.
 */
export function readCursorState(databases: CursorDatabases, keep: number): ExtractedConversation | undefined {
  const { allComposers } = parse(databases.workspace('ItemTable', 'composer.composerData'));
  const newestFirst = list<Composer>(allComposers).sort((a, b) => timeOf(b) - timeOf(a));
  for (const { composerId } of newestFirst) {
    if (typeof composerId !== 'string') continue;
    const conversation = conversationOf({ turns: turnsOf(composerId, databases, keep), keep, fidelity: 'L2' });
    if (conversation !== undefined) return conversation;
  }
  return undefined;
}

function turnsOf(composerId: string, { global }: CursorDatabases, keep: number): Turn[] {
  const composer = parse(global('cursorDiskKV', `composerData:${composerId}`));
  const whole = list<Record<string, unknown>>(composer.conversation);
  if (whole.length > 0) return whole.flatMap(turnOf);
  const headers = list<{ readonly bubbleId?: unknown }>(composer.fullConversationHeadersOnly);
  return wanted(headers, keep)
    .flatMap(({ bubbleId }) => (typeof bubbleId === 'string' ? [bubbleId] : []))
    .flatMap((id) => turnOf(parse(global('cursorDiskKV', `bubbleId:${composerId}:${id}`))));
}

/** Returns the bubbles to look up: the first for the summary, and enough of the last, since one turn often has many. */
function wanted<T>(headers: readonly T[], keep: number): readonly T[] {
  const last = Math.max(keep, 1) * 20;
  return headers.length <= last + 5 ? headers : [...headers.slice(0, 5), ...headers.slice(-last)];
}

function turnOf({ type, text }: Readonly<Record<string, unknown>>): Turn[] {
  if (typeof text !== 'string' || text.trim() === '') return [];
  if (type === USER) return [{ role: 'user', content: text.trim() }];
  return type === ASSISTANT ? [{ role: 'assistant', content: text.trim() }] : [];
}

function timeOf({ lastUpdatedAt, createdAt }: Composer): number {
  const time = lastUpdatedAt ?? createdAt;
  if (typeof time === 'number') return time;
  return typeof time === 'string' ? Date.parse(time) || 0 : 0;
}

function parse(text: string | undefined): Readonly<Record<string, unknown>> {
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function list<T extends object>(value: unknown): T[] {
  if (!Array.isArray(value)) return [];
  return value.filter((item): item is T => typeof item === 'object' && item !== null);
}
