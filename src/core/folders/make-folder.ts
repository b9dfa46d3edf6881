import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Makes a folder and those above it that are missing, all with the mode. Does nothing where it is there. Node's own
 * `mkdir` with `recursive` never ends where a file system answers ENOENT although the folder above is there, as `/proc` does
 * (seen with Node 20.20).
 * @throws an error with the system's code that names the folder
 */
export function makeFolder(folder: string, mode = 0o777): void {
  const whole = path.resolve(folder);
  const missing: string[] = [];
  try {
    for (let place = whole; !isMade(place, mode); place = path.dirname(place)) missing.push(place);
    for (const place of missing.reverse()) makeOne(place, mode);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const text = `The folder ${JSON.stringify(whole)} cannot be made (${message}): name one that this user can make`;
    throw Object.assign(new Error(text, { cause: error }), { code });
  }
}

/** Returns false where the folder above has to be made first. @throws the system's error */
function isMade(place: string, mode: number): boolean {
  try {
    makeOne(place, mode);
    return true;
  } catch (error) {
    const above = path.dirname(place);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || above === place || isFolder(above)) throw error;
    return false;
  }
}

function makeOne(place: string, mode: number): void {
  try {
    mkdirSync(place, { mode });
  } catch (error) {
    // Systems differ in what they answer for a folder that is there, such as the top of a read-only file system.
    if (!isFolder(place)) throw error;
  }
}

function isFolder(place: string): boolean {
  try {
    return statSync(place).isDirectory();
  } catch {
    return false;
  }
}
