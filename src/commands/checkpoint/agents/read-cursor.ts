import { readdir, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadSqlite } from '../../../store/database/sqlite/sqlite-module.ts';
import type { ExtractedConversation } from '../../../workflows/checkpoint/adapters/extract/conversation.ts';
import { type ReadKey, readCursorState } from '../../../workflows/checkpoint/adapters/extract/cursor-state.ts';
import type { ConversationQuestion } from './conversation-question.ts';

const DATABASE = 'state.vscdb';
/** Time to wait for a database that Cursor is writing. */
const BUSY_MS = 2_000;

interface OpenFile {
  readonly read: ReadKey;
  close(): void;
}

/**
 * Reads the newest conversation that Cursor has for a project. Its databases are opened for reading only.
 * @returns `undefined` if there is none
 * @throws Error if a database is there and cannot be read
 */
export async function readCursorConversation({
  state,
  project,
  keep,
}: ConversationQuestion): Promise<ExtractedConversation | undefined> {
  const workspaceFile = await workspaceDatabase(project, path.join(state, 'workspaceStorage'));
  if (workspaceFile === undefined) return undefined;
  const workspace = await openReadOnly(workspaceFile);
  try {
    const global = await openReadOnly(path.join(state, 'globalStorage', DATABASE));
    try {
      return readCursorState({ workspace: workspace.read, global: global.read }, keep);
    } finally {
      global.close();
    }
  } finally {
    workspace.close();
  }
}

/** Finds the database of a workspace: each has a folder, in which a file names the folder that the workspace is for. */
async function workspaceDatabase(folder: string, storage: string): Promise<string | undefined> {
  const wanted = await realpath(folder);
  for (const name of await readdir(storage).catch(() => [])) {
    const place = await workspaceFolder(path.join(storage, name, 'workspace.json'));
    if (place === wanted) return path.join(storage, name, DATABASE);
  }
  return undefined;
}

async function workspaceFolder(file: string): Promise<string | undefined> {
  try {
    const { folder } = JSON.parse(await readFile(file, 'utf8')) as { readonly folder?: unknown };
    return typeof folder === 'string' ? await realpath(fileURLToPath(folder)) : undefined;
  } catch {
    return undefined; // a workspace on another machine, or one with several folders
  }
}

async function openReadOnly(file: string): Promise<OpenFile> {
  const { DatabaseSync } = await loadSqlite();
  const database = new DatabaseSync(file, { readOnly: true, timeout: BUSY_MS });
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as { name: string }[];
  const names = new Set(tables.map(({ name }) => name));
  return {
    read(table, key) {
      if (!names.has(table)) return undefined;
      const row = database.prepare(`SELECT value FROM ${table} WHERE key = ?`).get(key) as { value?: unknown };
      return asText(row?.value);
    },
    close: () => database.close(),
  };
}

function asText(value: unknown): string | undefined {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  return typeof value === 'string' ? value : undefined;
}
