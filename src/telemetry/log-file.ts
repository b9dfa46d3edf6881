import { openSync } from 'node:fs';
import type pino from 'pino';
import { appendAll } from '../core/files/write-all.ts';

/**
 * Appends lines to a file, which is made readable for its user only. A line that cannot be written (the disk is full) is
 * left out, and `onFault` hears about the first of them.
 * @throws the system's error when the file cannot be opened
 */
export function openLogFile(path: string, onFault: (error: unknown) => void): pino.DestinationStream {
  const file = openSync(path, 'a', 0o600);
  let isFaulty = false;
  return {
    write(line) {
      try {
        appendAll(file, line);
        isFaulty = false;
      } catch (error) {
        if (isFaulty) return;
        isFaulty = true;
        onFault(error);
      }
    },
  };
}
