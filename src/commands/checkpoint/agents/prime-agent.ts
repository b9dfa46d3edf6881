import { existsSync } from 'node:fs';
import { readFile, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { FileEditError } from '../../../agents/files/text-edits.ts';
import {
  type FileChange,
  type IdeBridgeTrace,
  type PrimingOptions,
  planPriming,
} from '../../../workflows/checkpoint/adapters/priming/plan.ts';
import { type EditOutcome, editFile } from '../../user-files/edit-file.ts';
import { ownUserFolders } from '../../user-files/user-folders.ts';

export interface PrimingRequest
  extends Pick<PrimingOptions, 'agent' | 'folder' | 'entry' | 'hookCommand' | 'remove' | 'replaceIdeBridge'> {
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface PrimedFile {
  readonly file: string;
  readonly what: FileChange['what'];
  readonly outcome: EditOutcome | 'left alone';
  /** The reason why it was left alone. */
  readonly reason?: string;
}

export interface PrimingReport {
  readonly files: readonly PrimedFile[];
  readonly byHand: readonly string[];
  /** The parts that ide-bridge still has in these files, such as `its text in CLAUDE.md`. */
  readonly ideBridge: readonly string[];
}

/** Writes what makes an agent save and load, or takes it out again. One file that cannot be changed stops no other. */
export async function primeAgent({ env, ...request }: PrimingRequest): Promise<PrimingReport> {
  const user = ownUserFolders(env);
  const { changes, traces, byHand } = planPriming({ ...request, user, exists: existsSync });
  const files: PrimedFile[] = [];
  // Agents keep secrets in some of their user's files.
  const newMode = request.folder === undefined ? 0o600 : 0o644;
  for (const change of changes) files.push(await make(change, newMode));
  const root = request.folder ?? user.home;
  for (const { file, outcome } of files) if (outcome === 'removed') await removeEmptyFolders(path.dirname(file), root);
  return { files, byHand, ideBridge: await leftBy(traces, root) };
}

async function leftBy(traces: readonly IdeBridgeTrace[], root: string): Promise<string[]> {
  const found = traces.map(async ({ file, what, isIn }) => {
    const text = await readFile(file, 'utf8').catch(() => '');
    return isIn(text) ? [`${what} in ${path.relative(root, file)}`] : [];
  });
  return (await Promise.all(found)).flat();
}

/** Removes empty folders from this one upwards, but never `root`. */
async function removeEmptyFolders(folder: string, root: string): Promise<void> {
  const isBelow = folder.startsWith(root + path.sep);
  if (!isBelow) return;
  try {
    await rmdir(folder);
  } catch {
    return; // something is in it
  }
  await removeEmptyFolders(path.dirname(folder), root);
}

async function make({ file, what, edit }: FileChange, newMode: number): Promise<PrimedFile> {
  try {
    return { file, what, outcome: await editFile(file, edit, newMode) };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { file, what, outcome: 'left alone', reason: reasonOf(error) };
  }
}

function reasonOf(error: Error): string {
  if (error instanceof FileEditError) return error.message;
  return error instanceof TypeError ? 'it is not written in UTF-8' : error.message;
}
