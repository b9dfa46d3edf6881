import type { Progress } from '../../gateway/client/local-client.ts';

const WIDTH = 24;
/** Earlier than this, the remaining time would be a guess. */
const SURE_AFTER_S = 1;

/**
 * Returns a bar with the number of files that are done, how many a second, and the time left where that can be told.
 * @param seconds since the beginning
 */
export function progressBar({ progress, total }: Progress, seconds: number): string {
  const rate = seconds > 0 ? progress / seconds : 0;
  const speed = `${Math.round(rate)} files a second`;
  if (total === undefined || total <= 0) return `${progress} files, ${speed}`;
  const filled = Math.min(WIDTH, Math.floor((progress / total) * WIDTH));
  const bar = `[${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}]`;
  const left = seconds >= SURE_AFTER_S && rate > 0 ? `, ${timeText((total - progress) / rate)} left` : '';
  return `${bar} ${progress} of ${total} files, ${speed}${left}`;
}

function timeText(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  return `${Math.ceil(seconds / 60)} min`;
}
