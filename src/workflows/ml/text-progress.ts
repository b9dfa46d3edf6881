import { cutText } from '../../core/text/clean-text.ts';
import type { ProgressReport } from '../define.ts';

/** Least milliseconds between two reports: a model may give hundreds of pieces in a second. */
const PAUSE_MS = 100;
/** Longest text of a report, in characters. */
const LONGEST = 4_000;

/**
 * Returns a receiver of the pieces of an answer that reports them: how many characters have come, and those that have come
 * since the last report.
 * @param now the time in milliseconds since some moment
 */
export function textProgress(
  report: (report: ProgressReport) => void,
  now: () => number = () => performance.now(),
): (piece: string) => void {
  let length = 0;
  let waiting = '';
  let last = Number.NEGATIVE_INFINITY;
  return (piece) => {
    length += piece.length;
    waiting += piece;
    if (waiting === '' || now() - last < PAUSE_MS) return;
    report({ progress: length, message: cutText(waiting, LONGEST) });
    waiting = '';
    last = now();
  };
}
