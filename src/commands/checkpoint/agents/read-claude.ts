import { open, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { readClaudeSession } from '../../../workflows/checkpoint/adapters/extract/claude-session.ts';
import type { ExtractedConversation } from '../../../workflows/checkpoint/adapters/extract/conversation.ts';
import type { ConversationQuestion } from './conversation-question.ts';

/** A session can have hundreds of megabytes; the last turns are at its end. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Reads the conversation of a Claude Code session: that of `transcript`, or the one of the project that was written last.
 * @returns `undefined` if there is none, if it cannot be read, or if nothing was said
 */
export async function readClaudeConversation({
  state,
  project,
  keep,
  transcript,
}: ConversationQuestion): Promise<ExtractedConversation | undefined> {
  const file = transcript ?? (await newestTranscript(path.join(state, project.replace(/[^A-Za-z0-9]/g, '-'))));
  const text = file === undefined ? undefined : await readEnd(file).catch(() => undefined);
  if (file === undefined || text === undefined) return undefined;
  return readClaudeSession(text.split('\n'), { keep, transcript: pathToFileURL(file).href });
}

/** Returns the session in a folder that was written last. */
async function newestTranscript(sessions: string): Promise<string | undefined> {
  const names = await readdir(sessions).catch(() => []);
  const files = names.filter((name) => name.endsWith('.jsonl')).map((name) => path.join(sessions, name));
  const dated = await Promise.all(files.map(async (file) => ({ file, time: (await stat(file)).mtimeMs })));
  return dated.sort((a, b) => b.time - a.time)[0]?.file;
}

/** Returns the last part of a file, from the beginning of a line. */
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
