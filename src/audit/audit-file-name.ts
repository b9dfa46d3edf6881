import path from 'node:path';

/**
 * The number of files that are kept at most while calls in them are not in the index yet, as a multiple of
 * `audit.files`. Beyond that the oldest is deleted all the same: a database that is gone must not fill the disk.
 */
const UNINDEXED_FACTOR = 4;

/** Returns the most files that the audit can have, if `files` are kept. */
export function mostAuditFiles(files: number): number {
  return files * UNINDEXED_FACTOR;
}

/** Returns the name of a file that was put aside so many times; 0 for the file that is written. */
export function auditFileName(file: string, number: number): string {
  const { dir, name, ext } = path.parse(file);
  return path.join(dir, number === 0 ? `${name}${ext}` : `${name}.${number}${ext}`);
}

/** Returns the file of the audit: the one that the config names, or the one in the gateway's own folder. */
export function auditFileOf(file: string | undefined, home: string): string {
  return file ?? path.join(home, 'audit', 'audit.jsonl');
}
