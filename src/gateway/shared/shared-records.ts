import { readdirSync } from 'node:fs';
import path from 'node:path';
import { type DaemonRecord, readRecord, type SharedFacts } from '../serving/daemon-record.ts';
import { isSharedRecord, realPath, runFolder } from '../settings/paths.ts';

/** A shared gateway that has left a record. It may have ended. */
export interface SharedRecord extends DaemonRecord {
  /** Path of the record. */
  readonly file: string;
  readonly shared: SharedFacts;
}

/** Returns the records of shared gateways: those of a config, or all. */
export function sharedRecords(home: string, configPath?: string): SharedRecord[] {
  const wanted = configPath === undefined ? undefined : realPath(configPath);
  return filesIn(runFolder(home)).flatMap((file) => {
    const record = readRecord(file);
    if (record?.shared === undefined) return [];
    const { shared } = record;
    return wanted === undefined || realPath(shared.configPath) === wanted ? [{ ...record, shared, file }] : [];
  });
}

function filesIn(folder: string): string[] {
  try {
    const files = readdirSync(folder).map((name) => path.join(folder, name));
    return files.filter(isSharedRecord).sort();
  } catch {
    return []; // no gateway has run yet
  }
}
