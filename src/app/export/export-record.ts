import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { backUp, backupPath } from '../back-up.ts';

const recordSchema = z.strictObject({
  /** Whether there was a file before. */
  existed: z.boolean(),
  /** SHA-256 of what we wrote. */
  written: z.string(),
  /** Whether the backup is the file as it was without us. */
  isExact: z.boolean(),
  /** Servers that we took out: the keys that lead to each, and what stood there. */
  removed: z.array(z.strictObject({ path: z.array(z.string()), value: z.unknown() })),
});

/** What has to be known to undo an export. */
export type ExportRecord = z.output<typeof recordSchema>;

export type RemovedServer = ExportRecord['removed'][number];

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function recordPath(home: string, file: string): string {
  return `${backupPath(home, file)}.undo.json`;
}

/** What was kept of the last export into a file; `undefined` where there was none, or it cannot be understood. */
export async function readRecord(home: string, file: string): Promise<ExportRecord | undefined> {
  try {
    return recordSchema.parse(JSON.parse(await readFile(recordPath(home, file), 'utf8')));
  } catch {
    return undefined;
  }
}

/** The file as it was before the export; `undefined` where somebody has removed that. */
export function readBackup(home: string, file: string): Promise<string | undefined> {
  return readFile(backupPath(home, file), 'utf8').catch(() => undefined);
}

export interface ExportChange {
  readonly file: string;
  readonly before: string | undefined;
  readonly after: string;
  readonly removed: readonly RemovedServer[];
  /** Whether our entry was in the file already. */
  readonly hadEntry: boolean;
}

/**
 * Keeps what is needed to undo an export. One that follows another, with nothing changed in between, is undone with it.
 * @returns where the file as it was is kept, if there was one
 */
export async function keepRecord(home: string, change: ExportChange): Promise<string | undefined> {
  const { file, before, after } = change;
  const last = await readRecord(home, file);
  const follows = last !== undefined && before !== undefined && hashOf(before) === last.written;
  const backup = follows ? backupPath(home, file) : await backUp(home, file, before ?? '');
  const record: ExportRecord = {
    existed: follows ? last.existed : before !== undefined,
    written: hashOf(after),
    isExact: follows ? last.isExact : last === undefined || !change.hadEntry,
    removed: [...(change.hadEntry || follows ? (last?.removed ?? []) : []), ...change.removed],
  };
  await writeFile(recordPath(home, file), JSON.stringify(record), { mode: 0o600 });
  return record.existed ? backup : undefined;
}

/** Forgets an export that was undone. */
export async function dropRecord(home: string, file: string): Promise<void> {
  await rm(recordPath(home, file), { force: true });
  await rm(backupPath(home, file), { force: true });
}
