import type { UpstreamEntry } from '../../core/settings/upstream-entry.ts';

type StartRules = Pick<UpstreamEntry, 'start' | 'restart' | 'command' | 'instructions' | 'pins'>;

/**
 * Returns true if the first call starts the upstream once its lists are known from an earlier run. Without `start`, this holds
 * for processes that may be started again, with two exceptions: clients get the server's instructions before any call, and
 * with `pins: enforce` a changed tool must be found before it is called. A connection to a url costs no process, and tells at
 * once when the server's lists change.
 */
export function isLazy({ start, restart, command, instructions, pins }: StartRules): boolean {
  if (restart === 'on-demand') return true;
  if (start !== undefined) return start === 'lazy';
  return command !== undefined && restart === 'always' && !instructions && pins !== 'enforce';
}

/** Returns the time after which the upstream is stopped if it is not used, in milliseconds; 0 if it never is. */
export function idleStopMs(entry: StartRules & Pick<UpstreamEntry, 'idleStopMs'>): number {
  return isLazy(entry) && entry.restart !== 'never' ? entry.idleStopMs : 0;
}
