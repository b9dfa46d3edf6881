import type { UpstreamStatus } from '../core/providers/provider-status.ts';
import { cleanText, cutText } from '../core/text/clean-text.ts';

const MAX_LENGTH = 200;

/** States in which the tools of an upstream may be missing. */
const AWAY: ReadonlySet<string> = new Set(['starting', 'waiting', 'backoff', 'crash-loop', 'failed', 'needs-auth']);

/** Says in a few words why tools of an upstream may be missing; nothing if they are not. */
export function troubleOf({ key, state, reason, counts, listErrors }: UpstreamStatus): string[] {
  // An upstream that calls start keeps its tools while it is stopped.
  const isAway = AWAY.has(state) || (state === 'stopped' && counts.tools === 0);
  const why = isAway ? [`${state}${reason === undefined ? '' : `: ${reason}`}`] : listErrors;
  return why.length === 0 ? [] : [cutText(cleanText(`${key} (${why.join('; ')})`), MAX_LENGTH)];
}
