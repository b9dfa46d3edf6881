import { isUtf8 } from 'node:buffer';
import type { Stats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { ConfigError, type ConfigIssue } from './config-error.ts';
import { missingConfig } from './missing-config.ts';

/** The largest config we have seen has 14 KiB. */
const MAX_BYTES = 1024 * 1024;

/**
 * The text of a config file.
 * @throws ConfigError if there is none, or if it is not a readable UTF-8 file of at most 1 MiB
 */
export async function readConfigText(path: string): Promise<string> {
  const bytes = await readBytes(path).catch((error: unknown) => {
    throw toConfigError(path, error);
  });
  if (!isUtf8(bytes)) throw new ConfigError(path, [encodingIssue(bytes)]);
  return bytes.toString('utf8');
}

async function readBytes(path: string): Promise<Buffer> {
  const problem = statProblem(await stat(path));
  // Before it is opened: to open a FIFO waits for a writer.
  if (problem !== undefined) throw new ConfigError(path, [problem]);
  return readFile(path);
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
    ? fileIssue('the file may not be read', `give the user that runs Viaduct the right to: chmod u+r ${path}`)
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

/** Of the file as a whole. */
function fileIssue(message: string, hint?: string): ConfigIssue {
  return { line: 0, column: 0, jsonPath: '', message, ...(hint === undefined ? {} : { hint }) };
}
