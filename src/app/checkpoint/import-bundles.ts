import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { JsonObject } from '../../core/checkpoint-store.ts';
import { saveInto } from '../../workflows/checkpoint/bundle/change.ts';
import { importIdeBridge } from '../../workflows/checkpoint/bundle/import-ide-bridge.ts';
import { BUNDLE_VERSION } from '../../workflows/checkpoint/bundle/schema.ts';
import { validateBundle } from '../../workflows/checkpoint/bundle/validate.ts';
import { Intake } from '../../workflows/checkpoint/intake.ts';
import { PROJECT_ID } from '../../workflows/checkpoint/project-id.ts';
import type { OpenStore } from './open-store.ts';

const BUNDLE_FILE = 'bundle.json';

export interface ImportedBundle {
  readonly project: string;
  readonly file: string;
  readonly outcome: 'imported' | 'left alone' | 'failed';
  /** Why it was left alone, or failed; or what of it could not be taken over. */
  readonly remarks: readonly string[];
}

export interface ImportOptions {
  /** The id to import under, for a single bundle. */
  readonly projectId?: string | undefined;
  /** Takes the place of what is stored under the same id. */
  readonly replace: boolean;
}

interface Found {
  readonly file: string;
  readonly folder: string | undefined;
}

interface Candidate {
  readonly projectId: string;
  readonly sourceIde: string;
  readonly bundle: JsonObject;
  readonly leftOut: readonly string[];
}

/**
 * Imports bundles: a file; a project's folder of ide-bridge, with its `bundle.json`; or a folder of such folders. One
 * that cannot be imported keeps no other from it.
 * @throws when there is no such place
 */
export async function importBundles(
  open: OpenStore,
  place: string,
  options: ImportOptions,
): Promise<readonly ImportedBundle[]> {
  const imported: ImportedBundle[] = [];
  for (const found of await bundlesIn(place)) imported.push(await importOne(open, found, options));
  return imported;
}

async function bundlesIn(place: string): Promise<readonly Found[]> {
  if (await isFile(place)) return [{ file: place, folder: undefined }];
  const names = await readdir(place);
  if (names.includes(BUNDLE_FILE)) return [{ file: path.join(place, BUNDLE_FILE), folder: path.basename(place) }];
  const found: Found[] = [];
  for (const folder of names.sort()) {
    const file = path.join(place, folder, BUNDLE_FILE);
    if (await isFile(file)) found.push({ file, folder });
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

async function importOne(open: OpenStore, { file, folder }: Found, options: ImportOptions): Promise<ImportedBundle> {
  let project = options.projectId ?? folder ?? '?';
  try {
    const candidate = candidateIn(JSON.parse(await readFile(file, 'utf8')), folder ?? '');
    project = options.projectId ?? candidate.projectId;
    if (!PROJECT_ID.test(project)) throw new Error('it names no project with a valid id: give one with --project');
    const isStored = await write(open, project, candidate, options.replace);
    if (!isStored) return { project, file, outcome: 'left alone', remarks: [THERE] };
    return { project, file, outcome: 'imported', remarks: candidate.leftOut.map((what) => `left out ${what}`) };
  } catch (error) {
    return { project, file, outcome: 'failed', remarks: [error instanceof Error ? error.message : String(error)] };
  }
}

const THERE = 'there are checkpoints of this project already; --replace takes these instead';

/** Our own exports as they are; whatever else there is counts as ide-bridge's. */
function candidateIn(value: unknown, folder: string): Candidate {
  const { pcb_version, project_id, last_source_ide } = (value ?? {}) as JsonObject;
  if (pcb_version === BUNDLE_VERSION) {
    const bundle = validateBundle(value);
    return {
      projectId: textOf(project_id, folder),
      sourceIde: textOf(last_source_ide, 'generic'),
      bundle,
      leftOut: [],
    };
  }
  const { projectId, sourceIde, patch, leftOut } = importIdeBridge(value, folder);
  const stamp = { projectId, sourceIde, at: new Date().toISOString() };
  return { projectId, sourceIde, bundle: saveInto(undefined, patch, stamp).bundle, leftOut };
}

/** Returns whether it was written: not where there is something else already. */
async function write(
  { store, options }: OpenStore,
  projectId: string,
  { sourceIde, bundle }: Candidate,
  replace: boolean,
): Promise<boolean> {
  const clean = new Intake(options).clean(projectId, bundle);
  const stamp = { projectId, sourceIde, at: new Date().toISOString() };
  const { outcome } = await store.update(projectId, { sourceIde, kind: 'import' }, (before) => {
    if (before !== undefined && !replace) return { bundle: before, outcome: false };
    const { bundle_id: _own, ...content } = clean;
    // Ids of bundles go on from the one that was there.
    const start = before === undefined ? content : { ...content, bundle_id: before.bundle_id };
    return { bundle: saveInto(start, {}, stamp).bundle, outcome: true };
  });
  return outcome;
}

function textOf(value: unknown, otherwise: string): string {
  return typeof value === 'string' && value !== '' ? value : otherwise;
}
