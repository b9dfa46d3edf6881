import { readFileSync } from 'node:fs';
import path from 'node:path';
import { writeWhole } from '../write-whole.ts';

const FILE = 'clock.json';
const DAY_MS = 86_400_000;
/** A gateway that was not used for longer looks like a clock that jumped. */
const JUMP_MS = 30 * DAY_MS;
/** The time that a clock must run after a jump before it counts as right, in milliseconds. */
const PROBATION_MS = DAY_MS;

/** Times by the clock, in milliseconds since 1970. */
interface Seen {
  /** The last time that was believed. */
  readonly trusted?: number;
  /** The first look after a jump. */
  readonly doubted?: number;
}

/**
 * Says whether what is old by the clock may be removed. A machine whose clock is wrong, far ahead above all, must not lose what
 * it keeps: after a jump of more than 30 days, and where the clock was never looked at, a day has to pass first. What was seen
 * is kept in `home`.
 * @param now milliseconds since 1970
 * @throws the system's error when the file cannot be read or written
 */
export function isClockTrusted(home: string, now: number): boolean {
  const file = path.join(home, FILE);
  const before = readSeen(file);
  const after = look(before, now);
  if (JSON.stringify(after) !== JSON.stringify(before)) writeWhole(file, `${JSON.stringify(after)}\n`);
  return after.trusted === now;
}

/** A clock that was set back is believed: nothing is removed too early by it. */
function look({ trusted, doubted }: Seen, now: number): Seen {
  if (trusted !== undefined && now - trusted <= JUMP_MS) return { trusted: now };
  const since = doubted !== undefined && doubted <= now && now - doubted <= JUMP_MS ? doubted : now;
  if (now - since >= PROBATION_MS) return { trusted: now };
  return { ...(trusted !== undefined && { trusted }), doubted: since };
}

/** A file that says nothing useful counts as none. */
function readSeen(file: string): Seen {
  try {
    const { trusted, doubted } = (JSON.parse(readFileSync(file, 'utf8')) ?? {}) as Record<string, unknown>;
    return { ...(isTime(trusted) && { trusted }), ...(isTime(doubted) && { doubted }) };
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
