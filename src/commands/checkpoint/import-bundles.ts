import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { PROJECT_ID } from '../../core/projects/project-id.ts';
import type { JsonObject } from '../../core/stores/checkpoint-store.ts';
import { saveInto } from '../../workflows/checkpoint/bundle/change.ts';
import { importIdeBridge } from '../../workflows/checkpoint/bundle/import-ide-bridge.ts';
import { BUNDLE_VERSION } from '../../workflows/checkpoint/bundle/schema.ts';
import { validateBundle } from '../../workflows/checkpoint/bundle/validate.ts';
import { Intake } from '../../workflows/checkpoint/intake.ts';
import { type EarlierBundle, earlierBundles, parseJsonFile, readEarlier } from './ide-bridge-history.ts';
import type { OpenStore as Opened } from './open-store.ts';

const BUNDLE_FILE = 'bundle.json';

type OpenStore = Pick<Opened, 'store' | 'options'>;

export interface ImportedBundle {
  readonly project: string;
  readonly file: string;
  readonly outcome: 'imported' | 'left alone' | 'failed';
  /** The reasons why it was left alone or failed, or the parts that could not be imported. */
  readonly remarks: readonly string[];
}

export interface ImportOptions {
  /** The id to import under, for a single bundle. */
  readonly projectId?: string | undefined;
  /** Replaces what is stored under the same id. */
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
  /** Time of the save: ISO 8601, UTC. */
  readonly at: string;
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
    const value: unknown = parseJsonFile(await readFile(file, 'utf8'));
    const candidate = candidateIn(value, folder ?? '', undefined);
    project = options.projectId ?? candidate.projectId;
    if (!PROJECT_ID.test(project)) throw new Error('it names no project with a valid id: give one with --project');
    const isThere = (await open.store.history(project, 1)).length > 0;
    if (isThere && !options.replace) return { project, file, outcome: 'left alone', remarks: [THERE] };
    const earlier = isThere ? [] : await earlierOf(file, open);
    const writer = new BundleWriter(open, project, isThere);
    const taken = await writer.takeEarlier(earlier, value, folder ?? '');
    await writer.write(candidate);
    const remarks = [...candidate.leftOut.map((what) => `left out ${what}`), ...historyRemarks(earlier, taken)];
    return { project, file, outcome: 'imported', remarks };
  } catch (error) {
    return { project, file, outcome: 'failed', remarks: [error instanceof Error ? error.message : String(error)] };
  }
}

/** Returns as many earlier bundles as the store keeps beside the newest. */
function earlierOf(file: string, { options }: OpenStore): Promise<readonly EarlierBundle[]> {
  return path.basename(file) === BUNDLE_FILE ? earlierBundles(file, options.history.keep) : Promise.resolve([]);
}

function historyRemarks(earlier: readonly EarlierBundle[], { written, unread }: Taken): string[] {
  return [
    ...(written === 0 ? [] : [`with ${written} earlier revisions`]),
    ...(unread === 0 ? [] : [`${unread} of ${earlier.length} earlier revisions cannot be read`]),
  ];
}

const THERE = 'there are checkpoints of this project already; --replace takes these instead';

/** Returns our own exports as they are; any other bundle counts as one of ide-bridge. */
function candidateIn(value: unknown, folder: string, savedAt: string | undefined): Candidate {
  const { pcb_version, project_id, last_source_ide, updated_at } = (value ?? {}) as JsonObject;
  if (pcb_version === BUNDLE_VERSION) {
    const bundle = validateBundle(value);
    return {
      projectId: textOf(project_id, folder),
      sourceIde: textOf(last_source_ide, 'generic'),
      bundle,
      at: timeOf(updated_at, savedAt),
      leftOut: [],
    };
  }
  const { projectId, sourceIde, updatedAt, patch, leftOut } = importIdeBridge(value, folder);
  const at = timeOf(updatedAt, savedAt);
  return { projectId, sourceIde, bundle: saveInto(undefined, patch, { projectId, sourceIde, at }).bundle, at, leftOut };
}

/** Returns the first of these that is a time and has passed; else now. */
function timeOf(...times: readonly unknown[]): string {
  const known = times.map((time) => (typeof time === 'string' ? Date.parse(time) : Number.NaN));
  const now = Date.now();
  return new Date(known.find((time) => time <= now) ?? now).toISOString();
}

interface Taken {
  readonly written: number;
  readonly unread: number;
}

/** Writes the states of one project, one revision each, with the times at which they were saved. */
class BundleWriter {
  readonly #open: OpenStore;
  readonly #project: string;
  /** The bundle that the next one takes the place of; checked, as another program may save the project meanwhile. */
  #before: { readonly bundleId: unknown } | undefined;
  #isOpen: boolean;

  /** @param isThere whether the project has revisions, which stay */
  constructor(open: OpenStore, project: string, isThere: boolean) {
    this.#open = open;
    this.#project = project;
    this.#isOpen = isThere;
  }

  /** Writes the earlier states; the last of them may be the newest one itself, which is passed over. */
  async takeEarlier(earlier: readonly EarlierBundle[], newest: unknown, folder: string): Promise<Taken> {
    let [written, unread] = [0, 0];
    for (const one of earlier) {
      const value = await readEarlier(one);
      if (isDeepStrictEqual(value, newest)) continue;
      const candidate = readable(value, folder, one.savedAt);
      if (candidate === undefined) unread++;
      else {
        await this.write(candidate);
        written++;
      }
    }
    return { written, unread };
  }

  async write({ sourceIde, bundle, at }: Candidate): Promise<void> {
    const { store, options } = this.#open;
    const projectId = this.#project;
    const { bundle_id: _own, ...content } = await new Intake(options).clean(projectId, bundle);
    const { outcome } = await store.update(projectId, { sourceIde, kind: 'import', at }, (before) => {
      this.#check(before);
      // Ids of bundles go on from the one that was there.
      const start = before === undefined ? content : { ...content, bundle_id: before.bundle_id };
      const { bundle: next, note } = saveInto(start, {}, { projectId, sourceIde, at });
      return { bundle: next, ...(note && { note }), outcome: next.bundle_id };
    });
    this.#before = { bundleId: outcome };
    this.#isOpen = false;
  }

  #check(before: JsonObject | undefined): void {
    if (this.#isOpen || before?.bundle_id === this.#before?.bundleId) return;
    throw new Error('another program has saved this project meanwhile: run the import again');
  }
}

function readable(value: unknown, folder: string, savedAt: string | undefined): Candidate | undefined {
  try {
    return value === undefined ? undefined : candidateIn(value, folder, savedAt);
  } catch {
    return undefined; // counted, and told
  }
}

function textOf(value: unknown, otherwise: string): string {
  return typeof value === 'string' && value !== '' ? value : otherwise;
}
