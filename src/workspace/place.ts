import path from 'node:path';
import type { WorkspaceRoot } from '../core/settings/workspace-settings.ts';
import type { HeldFolder } from './ground/ground.ts';

export interface PlaceOptions {
  readonly root: WorkspaceRoot | undefined;
  /** The folders on the way, the root first. */
  readonly way: readonly HeldFolder[];
  /** The names on the path to it, without the root's. */
  readonly names: readonly string[];
  /** Set where the place is a folder. */
  readonly folder: HeldFolder | undefined;
  /** The parts of the path that are not existing folders: the place's own name last. */
  readonly rest: readonly string[];
}

/** A place in the workspace that a path means, with all folders on the way to it held until it is closed. */
export class Place {
  /** The folder at this place, if there is one. */
  readonly folder: HeldFolder | undefined;
  /** Names of folders that would have to be made first. */
  readonly lacking: readonly string[];
  readonly #root: WorkspaceRoot | undefined;
  readonly #way: readonly HeldFolder[];
  readonly #names: readonly string[];

  constructor({ root, way, names, folder, rest }: PlaceOptions) {
    this.#root = root;
    this.#way = way;
    this.#names = [...names, ...rest];
    this.folder = folder;
    this.lacking = rest.slice(0, -1);
  }

  /** The folders on the way, the root first; the place itself is the last one, where it is a folder. */
  get way(): readonly HeldFolder[] {
    return this.#way;
  }

  /** True if this is the folder that shows the roots, if there are several. */
  get isTop(): boolean {
    return this.#way.length === 0;
  }

  /** The folder of the root that the place is in. */
  get root(): string {
    return this.#root?.folder ?? '';
  }

  /** The names from the root to here, without links; none for the root itself. */
  get names(): readonly string[] {
    return this.#names;
  }

  /** The path to the place in the workspace. */
  get shown(): string {
    return [...(this.#root?.name === undefined ? [] : [this.#root.name]), ...this.#names].join('/') || '.';
  }

  get name(): string | undefined {
    return this.#names.at(-1);
  }

  /** The folder that the place is in; of what is lacking, the last one that is there. None for a root. */
  get parent(): HeldFolder | undefined {
    return this.folder === undefined ? this.#way.at(-1) : this.#way.at(-2);
  }

  /** Returns the path without links. */
  async realPath(): Promise<string> {
    if (this.folder !== undefined) return this.folder.realPath();
    return path.join((await this.parent?.realPath()) ?? '', ...this.lacking, this.name ?? '');
  }

  async close(): Promise<void> {
    await Promise.all(this.#way.map((folder) => folder.close()));
  }
}
