import type { Dirent } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { DOCUMENT_ENDINGS } from '../../../knowledge/documents/document-kind.ts';
import { failed } from '../../../workspace/failures.ts';
import type { Place } from '../../../workspace/place.ts';
import type { Sandbox } from '../../../workspace/sandbox.ts';

/** Folders of other programs, which contain no documents of the user. */
const SKIPPED: ReadonlySet<string> = new Set([
  '.git',
  '.hg',
  '.svn',
  '.jj',
  'node_modules',
  'bower_components',
  '.venv',
]);
const MAX_DOCUMENTS = 20_000;
const MAX_ENTRIES = 200_000;

/** The documents that a path of the workspace stands for. */
export interface Documents {
  readonly isFolder: boolean;
  /** Paths in the workspace, sorted. */
  readonly paths: readonly string[];
  /** Folders that cannot be read, and why. */
  readonly errors: readonly string[];
}

/**
 * Returns the documents at a path: the file itself, or all files in and below a folder whose names have the ending of a document.
 * Skips links in folders.
 * @throws GatewayError for a path that leads out of the workspace, to nothing, or to what is protected
 */
export async function findDocuments(sandbox: Sandbox, path: string, signal: AbortSignal): Promise<Documents> {
  const start = await sandbox.at(path, { follow: true, intent: 'read' }, (place) => Promise.resolve(kindOf(place)));
  if (!start.isFolder) return { isFolder: false, paths: [start.path], errors: [] };
  const search = new FolderSearch(sandbox, signal);
  await search.visit(start.path);
  return { isFolder: true, paths: search.found.sort(), errors: search.errors };
}

function kindOf(place: Place): { readonly isFolder: boolean; readonly path: string } {
  return { isFolder: place.isTop || place.folder !== undefined, path: place.shown };
}

class FolderSearch {
  readonly found: string[] = [];
  readonly errors: string[] = [];
  readonly #sandbox: Sandbox;
  readonly #signal: AbortSignal;
  #entries = 0;

  constructor(sandbox: Sandbox, signal: AbortSignal) {
    this.#sandbox = sandbox;
    this.#signal = signal;
  }

  async visit(start: string): Promise<void> {
    const ahead = [start];
    for (let folder = ahead.pop(); folder !== undefined; folder = ahead.pop()) {
      this.#signal.throwIfAborted();
      try {
        ahead.push(...(await this.#take(folder)));
      } catch (error) {
        if (folder === start || this.#isFull()) throw error;
        this.errors.push(error instanceof Error ? error.message : String(error));
      }
    }
  }

  /** Notes the documents of a folder. Returns the folders in it. */
  #take(folder: string): Promise<string[]> {
    return this.#sandbox.at(folder, { follow: false, intent: 'read' }, async (place) => {
      if (place.isTop) return this.#sandbox.roots.map(({ name = '' }) => name);
      if (place.folder === undefined) throw failed(folder, 'it was replaced meanwhile: try again');
      const folders: string[] = [];
      for await (const entry of await opendir(place.folder.path, { bufferSize: 256 })) {
        const path = folder === '.' ? entry.name : `${folder}/${entry.name}`;
        if (entry.isDirectory() && !SKIPPED.has(entry.name)) folders.push(path);
        else if (isDocument(entry)) this.found.push(path);
        this.#entries++;
        if (this.#isFull()) throw failed(folder, `${this.#excess()}: ingest a folder in it`);
      }
      place.folder.verify();
      return folders;
    });
  }

  #excess(): string {
    return this.found.length > MAX_DOCUMENTS
      ? `more than ${MAX_DOCUMENTS} documents`
      : `more than ${MAX_ENTRIES} files`;
  }

  #isFull(): boolean {
    return this.found.length > MAX_DOCUMENTS || this.#entries > MAX_ENTRIES;
  }
}

function isDocument(entry: Dirent): boolean {
  const name = entry.name.toLowerCase();
  return entry.isFile() && DOCUMENT_ENDINGS.some((ending) => name.endsWith(ending) && name !== ending);
}
