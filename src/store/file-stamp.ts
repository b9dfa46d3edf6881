import { statSync } from 'node:fs';

/**
 * Returns what a file is known by as long as nobody writes it; `undefined` if it cannot be looked at. A file that is replaced
 * or written in place has another stamp. A file that is moved keeps its stamp.
 */
export function stampOf(file: string): string | undefined {
  try {
    const { ino, mtimeNs, size } = statSync(file, { bigint: true });
    return `${ino} ${mtimeNs} ${size}`;
  } catch {
    // Whoever reads the file says what is wrong with it.
    return undefined;
  }
}
