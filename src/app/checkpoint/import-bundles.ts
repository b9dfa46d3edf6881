import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { CheckpointStore, JsonObject } from '../../core/checkpoint-store.ts';
import { importBundle } from '../../workflows/checkpoint/bundle/import.ts';
import { PROJECT_ID } from '../../workflows/checkpoint/project-id.ts';

const BUNDLE_FILE = 'bundle.json';

export interface ImportedProject {
  readonly project: string;
  readonly file: string;
  readonly outcome: 'imported' | 'left alone' | 'failed';
  /** Why it was left alone, or failed. */
  readonly reason?: string;
}

export interface ImportOptions {
  /** The id to import under, for a single bundle. */
  readonly projectId?: string | undefined;
  /** Takes the place of what is stored under the same id. */
  readonly replace: boolean;
}

interface Found {
  readonly file: string;
  readonly projectId: string | undefined;
}

/**
 * Imports bundles: a file; a project's folder of ide-bridge, with its `bundle.json`; or a folder of such folders. One
 * that cannot be imported keeps no other from it.
 * @throws when there is no such place
 */
export async function importBundles(
  store: CheckpointStore,
  place: string,
  options: ImportOptions,
): Promise<readonly ImportedProject[]> {
  const found = await bundlesIn(place);
  const imported: ImportedProject[] = [];
  for (const one of found) imported.push(await importOne(store, one, options));
  return imported;
}

async function bundlesIn(place: string): Promise<readonly Found[]> {
  if (!(await stat(place)).isDirectory()) return [{ file: place, projectId: undefined }];
  if (await isFile(path.join(place, BUNDLE_FILE)))
    return [{ file: path.join(place, BUNDLE_FILE), projectId: path.basename(place) }];
  const found: Found[] = [];
  for (const name of (await readdir(place)).sort()) {
    const file = path.join(place, name, BUNDLE_FILE);
    if (await isFile(file)) found.push({ file, projectId: name });
  }
  return found;
}

async function isFile(file: string): Promise<boolean> {
  try {
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

async function importOne(
  store: CheckpointStore,
  { file, projectId: folder }: Found,
  { projectId: wanted, replace }: ImportOptions,
): Promise<ImportedProject> {
  let project = wanted ?? folder ?? '?';
  try {
    const given = JSON.parse(await readFile(file, 'utf8')) as JsonObject;
    const own = given['project_id'] ?? (given['project'] as JsonObject | undefined)?.['id'];
    project = wanted ?? folder ?? (typeof own === 'string' ? own : '');
    if (!PROJECT_ID.test(project)) return { project, file, outcome: 'failed', reason: NO_ID };
    const bundle = importBundle(given, { projectId: project });
    if (!replace && (await store.load(project)) !== undefined)
      return { project, file, outcome: 'left alone', reason: 'there are checkpoints of this project (--replace)' };
    const sourceIde = String(bundle['last_source_ide'] ?? 'generic');
    await store.update(project, { sourceIde, kind: 'import' }, () => ({ bundle, outcome: undefined }));
    return { project, file, outcome: 'imported' };
  } catch (error) {
    return { project, file, outcome: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}

const NO_ID = 'it names no project whose id is valid: give one with --project';
