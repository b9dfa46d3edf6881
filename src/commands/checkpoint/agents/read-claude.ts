import { open, readdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { readClaudeSession } from '../../../workflows/checkpoint/adapters/extract/claude-session.ts';
import type { ExtractedConversation } from '../../../workflows/checkpoint/adapters/extract/conversation.ts';

/** A session may have hundreds of megabytes; the last turns are at its end. */
const MAX_BYTES = 16 * 1024 * 1024;

/** The conversation in the file of a Claude Code session; `undefined` where it cannot be read or says nothing. */
export async function readClaudeTranscript(file: string, keep: number): Promise<ExtractedConversation | undefined> {
  const text = await readEnd(file).catch(() => undefined);
  if (text === undefined) return undefined;
  return readClaudeSession(text.split('\n'), { keep, transcript: pathToFileURL(file).href });
}

/** The session of this folder that was written last, if there is one. */
export async function newestClaudeTranscript(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const home = env.CLAUDE_CONFIG_DIR || path.join(env.HOME || homedir(), '.claude');
  const sessions = path.join(home, 'projects', folder.replace(/[^A-Za-z0-9]/g, '-'));
  const names = await readdir(sessions).catch(() => []);
  const files = names.filter((name) => name.endsWith('.jsonl')).map((name) => path.join(sessions, name));
  const dated = await Promise.all(files.map(async (file) => ({ file, time: (await stat(file)).mtimeMs })));
  return dated.sort((a, b) => b.time - a.time)[0]?.file;
}

/** The last part of a file, from the beginning of a line. */
async function readEnd(file: string): Promise<string | undefined> {
  const handle = await open(file);
  try {
    const facts = await handle.stat();
    if (!facts.isFile()) return undefined;
    const start = Math.max(0, facts.size - MAX_BYTES);
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(facts.size - start), position: start });
    const text = buffer.toString('utf8', 0, bytesRead);
    return start === 0 ? text : text.slice(text.indexOf('\n') + 1);
  } finally {
    await handle.close();
  }
}
