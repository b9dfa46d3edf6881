import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { shellWord } from '../../core/text/shell-word.ts';
import { ConfigError, type ConfigIssue } from '../findings/config-error.ts';
import { missingConfig } from './missing-config.ts';
import type { Ownership } from './ownership.ts';

/** The largest config we have seen has 14 KiB. */
const MAX_BYTES = 1024 * 1024;

/** A config file as it was at one moment: what is judged by `sha256` and `facts` is `text`, even if the file changes later. */
export interface ConfigFile {
  readonly path: string;
  readonly text: string;
  /** The SHA-256 of the file's bytes, in hexadecimal. */
  readonly sha256: string;
  /** The owner and mode of the file itself, not of a link to it. */
  readonly facts: Ownership;
}

/**
 * Reads a config file once.
 * @throws ConfigError if there is none, or if it is not a readable UTF-8 file of at most 1 MiB
 */
export async function readConfigFile(path: string): Promise<ConfigFile> {
  const { bytes, facts } = await readOnce(path).catch((error: unknown) => {
    throw toConfigError(path, error);
  });
  if (!isUtf8(bytes)) throw new ConfigError(path, [encodingIssue(bytes)]);
  return { path, text: bytes.toString('utf8'), sha256: digestOf(bytes), facts };
}

/** Reads the text of a config file; throws as `readConfigFile` does. */
export async function readConfigText(path: string): Promise<string> {
  return (await readConfigFile(path)).text;
}

/** Computes the SHA-256 of a file with this content, in hexadecimal. */
export function digestOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

async function readOnce(path: string): Promise<{ readonly bytes: Buffer; readonly facts: Ownership }> {
  // Before it is opened: to open a FIFO waits for a writer, and a socket cannot be opened.
  checkStats(path, await stat(path));
  // Another program may have put something else there since: not even then may opening or reading wait.
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const facts = await handle.stat();
    checkStats(path, facts);
    return { bytes: await handle.readFile(), facts };
  } finally {
    await handle.close();
  }
}

function checkStats(path: string, stats: Stats): void {
  const problem = statProblem(stats);
  if (problem !== undefined) throw new ConfigError(path, [problem]);
}

function statProblem(stats: Stats): ConfigIssue | undefined {
  if (stats.isDirectory()) return fileIssue('this is a folder', 'name the file in it');
  if (!stats.isFile()) return fileIssue('this is not a regular file', 'write the config to a file and name that');
  if (stats.size <= MAX_BYTES) return undefined;
  return fileIssue(`the file has ${stats.size} bytes; a config has at most 1 MiB`, 'is this the right file?');
}

function toConfigError(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return missingConfig(path, [path]);
  const denied = error.code === 'EACCES' || error.code === 'EPERM';
  const issue = denied
    ? fileIssue(
        'the file may not be read',
        `give the user that runs Viaduct the right to: chmod u+r ${shellWord(path)}`,
      )
    : fileIssue(`the file cannot be read (${String(error.code)})`);
  return new ConfigError(path, [issue], { cause: error });
}

function encodingIssue(bytes: Buffer): ConfigIssue {
  const [first, second] = bytes;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (isUtf16) return { ...fileIssue('the file is UTF-16', 'save it as UTF-8'), line: 1, column: 1 };
  // A line break is one byte in UTF-8 and part of no other character, so lines can be looked at alone.
  let line = 1;
  let start = 0;
  for (
    let end = bytes.indexOf(0x0a);
    end !== -1 && isUtf8(bytes.subarray(start, end));
    end = bytes.indexOf(0x0a, start)
  ) {
    start = end + 1;
    line += 1;
  }
  const column = bytes.subarray(start).toString('utf8').indexOf('\uFFFD') + 1;
  return { ...fileIssue('a byte that is not UTF-8', 'save the file as UTF-8'), line, column };
}

/** Returns an issue with the file as a whole. */
function fileIssue(message: string, hint?: string): ConfigIssue {
  return { line: 0, column: 0, jsonPath: '', message, ...(hint === undefined ? {} : { hint }) };
}
