import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { z } from 'zod';
import type { EntryForm } from '../../agents/entry-form.ts';
import { hasServerList } from '../../agents/gateway-entry.ts';
import { writeWhole } from '../../store/write-whole.ts';
import { backUp, backupPath } from '../user-files/back-up.ts';
import { isThere, type RemovedServer } from './take-servers.ts';

const recordSchema = z.strictObject({
  /** True if the file existed before. */
  existed: z.boolean(),
  /** SHA-256 of what we wrote. */
  written: z.string(),
  /** True if the backup is the file without our changes. */
  isExact: z.boolean(),
  /** True if the file had a list of servers, which may have been empty. */
  hadList: z.boolean().optional(),
  /** Servers that we took out: the keys that lead to each, and what stood there. */
  removed: z.array(z.strictObject({ path: z.array(z.string()), value: z.unknown() })),
});

/** Data that is needed to undo an export. */
export type ExportRecord = z.output<typeof recordSchema>;

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function recordPath(home: string, file: string): string {
  return `${backupPath(home, file)}.undo.json`;
}

/** Returns the record of the last export into a file; `undefined` if there is none, or if it cannot be read. */
export async function readRecord(home: string, file: string): Promise<ExportRecord | undefined> {
  try {
    return recordSchema.parse(JSON.parse(await readFile(recordPath(home, file), 'utf8')));
  } catch {
    return undefined;
  }
}

/** Returns the file as it was before the export; `undefined` if the backup is gone. */
export function readBackup(home: string, file: string): Promise<string | undefined> {
  return readFile(backupPath(home, file), 'utf8').catch(() => undefined);
}

export interface ExportChange {
  readonly file: string;
  readonly form: EntryForm;
  readonly before: string | undefined;
  readonly after: string;
  readonly removed: readonly RemovedServer[];
  /** True if the file already had our entry. */
  readonly hadEntry: boolean;
}

export interface KeptRecord {
  /** Path of the backup, if there was a file before. */
  readonly backup: string | undefined;
  /** The record before this export. */
  readonly last: ExportRecord | undefined;
}

/**
 * Keeps what is needed to undo an export. An export that was not undone stays on record: its backup, and the servers that it
 * took out, are those to go back to. What the file had before this export is then kept beside that backup.
 */
export async function keepRecord(home: string, change: ExportChange): Promise<KeptRecord> {
  const { file, form, before, after, hadEntry } = change;
  const last = await readRecord(home, file);
  const follows = last !== undefined && before !== undefined && hashOf(before) === last.written;
  const missing = (last?.removed ?? []).filter(({ path }) => before === undefined || !isThere(before, form, path));
  // The last export was undone by hand.
  const isFirst = last === undefined || (!follows && !hadEntry && missing.length === 0);
  const record: ExportRecord = {
    existed: isFirst ? before !== undefined : last.existed,
    written: hashOf(after),
    isExact: follows ? last.isExact : isFirst,
    hadList: isFirst ? before !== undefined && hasServerList(before, form) : last.hadList,
    removed: [...missing, ...change.removed],
  };
  const backup = isFirst ? await backUp(home, file, before ?? '') : await keepLatest(home, file, before ?? '');
  await writeRecord(home, file, record);
  return { backup: before === undefined ? undefined : backup, last };
}

/** Restores the record from before an export that could not be written. */
export async function takeBackRecord(home: string, file: string, { last }: KeptRecord): Promise<void> {
  await (last === undefined ? dropRecord(home, file) : writeRecord(home, file, last));
}

async function writeRecord(home: string, file: string, record: ExportRecord): Promise<void> {
  writeWhole(recordPath(home, file), JSON.stringify(record));
}

function latestPath(home: string, file: string): string {
  return `${backupPath(home, file)}.latest`;
}

async function keepLatest(home: string, file: string, text: string): Promise<string> {
  const latest = latestPath(home, file);
  writeWhole(latest, text);
  return latest;
}

/** Deletes the record of an export that was undone. */
export async function dropRecord(home: string, file: string): Promise<void> {
  for (const kept of [recordPath(home, file), backupPath(home, file), latestPath(home, file)])
    await rm(kept, { force: true });
}
