import { readFile, stat } from 'node:fs/promises';
import { ConfigError } from '../../config/findings/config-error.ts';

/** Upper bound for a file. It is high because Claude Code keeps much else in the file with its servers. */
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * Returns the text of an agent's file; `undefined` if there is none.
 * @throws ConfigError if it cannot be read
 */
export async function readAgentText(file: string): Promise<string | undefined> {
  const facts = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw unreadable(file, `it cannot be read (${error.code})`);
  });
  if (facts === undefined) return undefined;
  // Before it is opened: to open a FIFO waits for a writer.
  if (!facts.isFile()) throw unreadable(file, 'this is not a regular file');
  if (facts.size > MAX_BYTES) throw unreadable(file, 'the file has more than 32 MiB');
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(file, `it cannot be read (${error.code})`);
  });
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw unreadable(file, 'it is not written in UTF-8');
  }
}

/** The same for a file that the user has named. */
export async function readNamedText(file: string): Promise<string> {
  const text = await readAgentText(file);
  if (text === undefined) throw unreadable(file, 'there is no such file');
  return text;
}

function unreadable(file: string, message: string): ConfigError {
  return new ConfigError(file, [{ line: 0, column: 0, jsonPath: '', message }]);
}
