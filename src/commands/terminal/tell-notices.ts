import { escaped } from '../../core/text/escaped.ts';
import { type ConfigNotice, noticeLine } from '../../gateway/trust/notices.ts';
import { printError } from './print.ts';

const told = new Set<string>();

/** Prints to standard error which configs are not used and what to do: only once, even if a command looks for its config again. */
export function tellNotices(notices: readonly ConfigNotice[]): void {
  for (const line of notices.map(noticeLine)) {
    if (!told.has(line)) printError(`viaduct: ${escaped(line)}`);
    told.add(line);
  }
}
