import { fstatSync } from 'node:fs';
import { writeAll } from '../../core/files/write-all.ts';

/** File descriptor of standard output. */
const OUT = 1;

let isWatched = false;
let isRead = true;
let failure: Error | undefined;
let isAtOnce: boolean | undefined;

/** Output could not be written, for example because a disk is full. */
export class OutputError extends Error {
  constructor(cause: Error) {
    super(`standard output cannot be written: ${cause.message}. What was printed is not complete`, { cause });
    this.name = 'OutputError';
  }
}

/** Returns whether standard output still has a reader: with `viaduct tools | head -1`, it has none in the end. */
export function hasReader(): boolean {
  return isRead && failure === undefined;
}

/**
 * Writes to standard output, and nothing more after a failure: a file would have a gap. Output without a reader (EPIPE)
 * is not a failure of the command, nor of a gateway that runs.
 */
export function writeOutput(text: string): void {
  if (!isWatched) process.stdout.on('error', onLoss);
  isWatched = true;
  if (!hasReader()) return;
  if (!isWrittenAtOnce()) {
    process.stdout.write(text);
    return;
  }
  try {
    writeAll(OUT, text);
  } catch (error) {
    onLoss(error as Error);
  }
}

/**
 * Resolves when everything that was printed has left the process.
 * @throws OutputError when it could not be written
 */
export async function whenWritten(): Promise<void> {
  if (hasReader() && process.stdout.writableLength > 0) {
    await new Promise<void>((resolve) => {
      process.stdout.write('', () => resolve());
    });
  }
  if (failure !== undefined) throw new OutputError(failure);
}

/**
 * The same, for what is nowhere else.
 * @throws OutputError also when it has no reader
 */
export async function whenDelivered(): Promise<void> {
  await whenWritten();
  if (!isRead) throw new OutputError(new Error('its reader has closed it'));
}

function onLoss(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') isRead = false;
  else failure ??= error;
}

/** The stream that Node.js has for a file ignores that a disk took only a part of what it was given. */
function isWrittenAtOnce(): boolean {
  isAtOnce ??= isFileOrDevice();
  return isAtOnce;
}

function isFileOrDevice(): boolean {
  if (process.stdout.isTTY) return false;
  try {
    const facts = fstatSync(OUT);
    return facts.isFile() || facts.isCharacterDevice();
  } catch {
    return false; // it is closed: the stream says so
  }
}
