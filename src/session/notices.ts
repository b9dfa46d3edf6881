import type { EntryKind } from '../core/providers/provider.ts';
import { type Throttle, throttle } from '../core/timing/throttle.ts';

/** A client hears about a changed list less than four times a second. */
const NOTICE_LIMITS = { burst: 4, intervalMs: 300 };

/** The lists of whose changes clients are told. */
export type ListName = 'tools' | 'prompts' | 'resources';

/** One throttled notice for each list; `tell` sends it. */
export function listNotices(tell: (list: ListName) => void): Readonly<Record<ListName, Throttle>> {
  const notice = (list: ListName) => throttle(() => tell(list), NOTICE_LIMITS);
  return { tools: notice('tools'), prompts: notice('prompts'), resources: notice('resources') };
}

export const LIST_OF: Readonly<Record<EntryKind, ListName>> = {
  tool: 'tools',
  prompt: 'prompts',
  resource: 'resources',
  template: 'resources',
};
