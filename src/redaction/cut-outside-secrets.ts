import { CUT, cutText } from '../core/text/clean-text.ts';
import { redact } from './redact.ts';
import { MARK_BEGINS } from './redactions.ts';

/** The distance behind a cut that is searched for what would make a secret of the text before it: the end of a key, a quote. */
const REACH = 8_192;
const MAX_ATTEMPTS = 16;

/**
 * Returns at most `max` characters of a text that is redacted later: where it is longer, the last of them is `…`. Half a
 * secret cannot be recognised any more, so one that lies across the cut is left out as a whole.
 */
export function cutOutsideSecrets(text: string, max: number): string {
  if (text.length <= max) return text;
  const whole = redact(text.slice(0, max + REACH)).value;
  let end = max - 1;
  for (let attempt = 0; attempt < MAX_ATTEMPTS && end > 0; attempt++) {
    const head = redact(text.slice(0, end)).value;
    const same = commonLength(head, whole);
    if (same === head.length) return cutText(text, end + 1);
    end = beginOfFirstMark(head, same) ?? endBefore(text, end, head.slice(same));
  }
  return CUT;
}

/** Returns the position of the first mark of a text, if it is the one at `at`: up to there nothing was replaced. */
function beginOfFirstMark(head: string, at: number): number | undefined {
  const mark = head.indexOf(MARK_BEGINS);
  return mark !== -1 && mark < at && head.indexOf(']', mark) >= at ? mark : undefined;
}

/** Returns a cut before what is redacted in another way when the text goes on: that is there as it is, or else nearby. */
function endBefore(text: string, end: number, differing: string): number {
  const start = end - differing.length;
  return start >= 0 && text.startsWith(differing, start) ? start : Math.floor(end / 2);
}

function commonLength(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  for (let at = 0; at < most; at++) if (one[at] !== other[at]) return at;
  return most;
}
