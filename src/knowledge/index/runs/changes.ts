import type { KnowledgeStore } from '../../../store/knowledge/knowledge-store.ts';
import type { SourceRow, Space } from '../../../store/knowledge/rows.ts';
import { areSameFacts } from '../../files/file-facts.ts';
import { walkFiles } from '../../files/walk-files.ts';
import type { WalkedFile } from '../../files/walked.ts';
import { isOfThisForm } from '../texts/new-chunks.ts';
import type { FileToPrepare } from '../texts/prepare-file.ts';

export interface Changes {
  /** Files that are new, or may have changed. */
  readonly files: readonly FileToPrepare[];
  /** Numbers of files that are no longer there. */
  readonly gone: readonly number[];
  /** Files that are as they were. */
  readonly unchanged: number;
  /** For people: what could not be looked at. */
  readonly failures: readonly string[];
  /** By their paths, as the index has them. */
  readonly known: ReadonlyMap<string, SourceRow>;
}

export interface LookOptions {
  readonly ignore: readonly string[];
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** Takes all files for changed. */
  readonly isForced?: boolean;
  readonly onFound?: (files: number) => void;
  /** Called with each folder before it is read: relative to the root, `''` for the root itself. */
  readonly onFolder?: (folder: string) => void;
}

/** Compares a folder with what the index has of it, by times and sizes. */
export async function changesIn(
  store: KnowledgeStore,
  { number, place }: Space,
  { ignore, maxBytes, signal, isForced = false, onFound, onFolder }: LookOptions,
): Promise<Changes> {
  const known = new Map((await store.sources(number)).map((source) => [source.path, source]));
  const unseen = new Set(known.keys());
  const files: FileToPrepare[] = [];
  const failures: string[] = [];
  const unread: string[] = [];
  let unchanged = 0;
  for await (const batch of walkFiles(place, { ignore, maxBytes, signal, onFolder })) {
    for (const walked of batch) {
      if (walked.kind === 'failure') {
        failures.push(walked.reason);
        unread.push(walked.path);
      }
      if (walked.kind !== 'file') continue;
      const before = known.get(walked.path);
      unseen.delete(walked.path);
      if (!isForced && before !== undefined && isDone(before, walked)) unchanged += 1;
      else files.push({ path: walked.path, knownHash: isForced ? '' : (before?.hash ?? '') });
    }
    onFound?.(files.length + unchanged);
  }
  // A file that cannot be examined now may still be there.
  const gone = [...unseen].filter((path) => !unread.some((folder) => isAt(path, folder)));
  return { files, gone: gone.map((path) => known.get(path)!.number), unchanged, failures, known };
}

/** Returns true if the file is unchanged, and the index has it as it would be made now. */
function isDone(before: SourceRow, now: WalkedFile): boolean {
  return isOfThisForm(before.hash) && areSameFacts(before, now);
}

function isAt(path: string, folder: string): boolean {
  return folder === '.' || path === folder || path.startsWith(`${folder}/`);
}
