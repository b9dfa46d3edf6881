import type { EntryKind } from '../core/provider.ts';

/** A client hears of a changed list less than four times a second. */
export const NOTICE_LIMITS = { burst: 4, intervalMs: 300 };

/** The lists of whose changes clients are told. */
export type ListName = 'tools' | 'prompts' | 'resources';

export const LIST_OF: Readonly<Record<EntryKind, ListName>> = {
  tool: 'tools',
  prompt: 'prompts',
  resource: 'resources',
  template: 'resources',
};
