import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { whyNotOwn, whyReplaceable } from '../core/files/private-folder.ts';
import { makeFolder } from '../core/folders/make-folder.ts';

const DIGEST_BYTES = 32;
/** Files of other versions of the program are left behind. */
const KEPT_MS = 30 * 24 * 3_600_000;
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0);

/** The compiled code of one source file. */
interface CodeOfFile {
  readonly name: string;
  readonly source: string;
  readonly code: Buffer;
}

/**
 * The files with compiled code. V8 runs compiled code as it is, and compares no more than the length of its source. So a
 * file is used only if no other user can have written it or can put another one in its place.
 */
export class KeptCode {
  readonly #folder: string;
  /** The folder without links, if its content can be trusted. */
  readonly #trusted: string | undefined;

  /** @param folder made when there is something to keep */
  constructor(folder: string) {
    this.#folder = folder;
    this.#trusted = trustedPlace(folder);
  }

  /** Returns the code kept under a name for a source file as it is now; `undefined` if there is none, or it is damaged. */
  read(name: string, source: string): Buffer | undefined {
    if (this.#trusted === undefined) return undefined;
    try {
      const content = readOwn(path.join(this.#trusted, name));
      const code = content?.subarray(DIGEST_BYTES);
      if (content === undefined || code === undefined) return undefined;
      return digestOf(source, code).equals(content.subarray(0, DIGEST_BYTES)) ? code : undefined;
    } catch {
      return undefined; // not kept yet
    }
  }

  /**
   * Keeps code under names, and removes what nobody has written for long. Keeps nothing in a folder that is not trusted.
   * @param files read only where there is a place for them
   * @throws the system's error when it cannot be written
   */
  write(files: Iterable<CodeOfFile>): void {
    makeFolder(this.#folder, 0o700);
    const folder = trustedPlace(this.#folder);
    if (folder === undefined) return;
    for (const { name, source, code } of files)
      replace(path.join(folder, name), Buffer.concat([digestOf(source, code), code]));
    removeOld(folder);
  }
}

/** Returns the path of a folder without links; `undefined` if others could choose what is in it. */
function trustedPlace(folder: string): string | undefined {
  try {
    const place = realpathSync.native(folder);
    return whyReplaceable(place) === undefined ? place : undefined;
  } catch {
    return undefined; // not made yet
  }
}

/** Returns the content of a file; `undefined` if others may have written it, before its folder was private. */
function readOwn(file: string): Buffer | undefined {
  const descriptor = openSync(file, READ);
  try {
    const facts = fstatSync(descriptor);
    return facts.isFile() && whyNotOwn(facts) === undefined ? readFileSync(descriptor) : undefined;
  } finally {
    closeSync(descriptor);
  }
}

function replace(file: string, content: Buffer): void {
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, content, { mode: 0o600 });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** The time of the source is for those who edit a built file. */
function digestOf(source: string, code: Buffer): Buffer {
  const { size, mtimeMs }: Stats = statSync(source);
  return createHash('sha256').update(`${size} ${mtimeMs}\n`).update(code).digest();
}

function removeOld(folder: string, now = Date.now()): void {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    if (now - lstatSync(file).mtimeMs > KEPT_MS) rmSync(file, { force: true, recursive: true });
  }
}
