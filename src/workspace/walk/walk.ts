import path from 'node:path';
import { GatewayError } from '../../core/errors.ts';
import type { WorkspaceRoot } from '../../core/settings/workspace-settings.ts';
import { failed, fileFailure, protectedFailure, shownPath } from '../failures.ts';
import { type Ground, type HeldFolder, isSame } from '../ground/ground.ts';
import { nameFault, partsOf, pathFault } from '../path-rules.ts';
import type { Place } from '../place.ts';
import type { ClosedFolder } from '../protection/guard.ts';
import { findRoot } from './find-root.ts';
import { Way } from './way.ts';

const MAX_LINKS = 40;
/**
 * The largest depth: all folders on the path are open meanwhile, and many such calls at the same time would exhaust the
 * limit on open files.
 */
const MAX_DEPTH = 128;

export interface WalkOptions {
  /** True if a link at the very end is followed. */
  readonly follow: boolean;
  /** True if folders on the way may be missing, as they will be made. */
  readonly mayLack?: boolean;
  /** Folders that no path leads into. */
  readonly closed?: readonly ClosedFolder[];
}

/**
 * Goes to a place in the workspace, one part of the path after the other, in folders that are held. Links are read and
 * followed here, never by the system, and `..` goes back the way that was come: what is outside is never touched.
 */
export async function walk(
  roots: readonly WorkspaceRoot[],
  ground: Ground,
  text: string,
  options: WalkOptions,
): Promise<Place> {
  const way = new Way(ground);
  try {
    return await new Walker(roots, way, text, options).go();
  } catch (error) {
    await way.close();
    throw fileFailure(text, error);
  }
}

class Walker {
  readonly #roots: readonly WorkspaceRoot[];
  readonly #way: Way;
  readonly #text: string;
  readonly #options: WalkOptions;
  /** Parts that are still to go, the next one last. */
  readonly #ahead: string[] = [];
  #links = 0;

  constructor(roots: readonly WorkspaceRoot[], way: Way, text: string, options: WalkOptions) {
    this.#roots = roots;
    this.#way = way;
    this.#text = text;
    this.#options = options;
  }

  async go(): Promise<Place> {
    const fault = pathFault(this.#text);
    if (fault !== undefined) throw this.#refusal(fault);
    await this.#begin(this.#text);
    for (let part = this.#ahead.pop(); part !== undefined; part = this.#ahead.pop()) {
      const end = await this.#take(part);
      if (end !== undefined) return end;
    }
    return this.#way.place([]);
  }

  async #begin(text: string): Promise<void> {
    if (path.isAbsolute(text)) return this.#goToAbsolute(text);
    const [only] = this.#roots;
    if (only !== undefined && only.name === undefined) await this.#way.enterRoot(only);
    this.#put(partsOf(text, process.platform));
  }

  #put(parts: readonly string[]): void {
    this.#ahead.push(...parts.toReversed());
  }

  /** Gives the place once the path is at its end. */
  async #take(part: string): Promise<Place | undefined> {
    if (part === '' || part === '.') return undefined;
    if (part === '..') return this.#back();
    const fault = nameFault(part, process.platform);
    if (fault !== undefined) throw this.#refusal(fault);
    const { here, depth } = this.#way;
    if (here === undefined) {
      await this.#way.enterRoot(this.#rootNamed(part));
      return undefined;
    }
    if (depth > MAX_DEPTH) throw this.#refusal(`more than ${MAX_DEPTH} folders deep`);
    return this.#enter(here, part);
  }

  async #enter(here: HeldFolder, part: string): Promise<Place | undefined> {
    const isLast = this.#ahead.length === 0;
    const found = await this.#way.enter(here, part);
    switch (found.kind) {
      case 'folder':
        this.#checkIsOpen(found.folder);
        return undefined;
      case 'link':
        if (isLast && !this.#options.follow) return this.#way.place([part]);
        await this.#follow(part, found.target);
        return undefined;
      case 'missing':
        return this.#atMissing(part);
      case 'other':
      case 'locked':
        if (isLast) return this.#way.place([part]);
        throw failed(this.#text, found.kind === 'other' ? `${part} is no folder` : `no permission to enter ${part}`);
    }
  }

  async #back(): Promise<undefined> {
    // Links lead from one root to another by absolute paths only: what is above a root is not the top that paths see.
    const mayLeaveRoot = this.#way.root?.name !== undefined && this.#links === 0;
    if (this.#way.depth <= (mayLeaveRoot ? 0 : 1)) throw this.#refusal('".." leads out of the workspace');
    await this.#way.back();
  }

  /** Refuses a closed folder at once, so that nothing reveals its contents. */
  #checkIsOpen({ identity }: HeldFolder): void {
    const closed = this.#options.closed?.find((folder) => isSame(folder.identity, identity));
    if (closed !== undefined)
      throw protectedFailure(this.#text, `it leads into ${closed.what}`, 'tools neither read nor change it');
  }

  #rootNamed(name: string): WorkspaceRoot {
    const root = this.#roots.find((candidate) => candidate.name === name);
    if (root !== undefined) return root;
    throw this.#refusal(`paths begin with the name of a root: ${this.#roots.map((known) => known.name).join(', ')}`);
  }

  async #follow(name: string, target: string): Promise<void> {
    if (++this.#links > MAX_LINKS) throw this.#refusal(`more than ${MAX_LINKS} symbolic links on the way`);
    if (!path.isAbsolute(target)) return this.#put(partsOf(target, process.platform));
    try {
      await this.#goToAbsolute(target);
    } catch (error) {
      if (!(error instanceof GatewayError) || error.code !== 'OUTSIDE_WORKSPACE') throw error;
      throw this.#refusal(`the symbolic link ${name} leads out of the workspace`);
    }
  }

  async #goToAbsolute(target: string): Promise<void> {
    const found = await findRoot(this.#roots, target);
    if (found === undefined) throw this.#refusal('it is outside of the workspace');
    await this.#way.close();
    await this.#way.enterRoot(found.root);
    this.#put(found.rest);
  }

  #atMissing(part: string): Place {
    const rest = this.#ahead.toReversed().filter((name) => name !== '.' && name !== '');
    if (rest.length === 0) return this.#way.place([part]);
    if (this.#options.mayLack !== true || rest.includes('..')) throw failed(this.#text, `there is no folder ${part}`);
    if (this.#way.depth + rest.length > MAX_DEPTH) throw this.#refusal(`more than ${MAX_DEPTH} folders deep`);
    const fault = rest.map((name) => nameFault(name, process.platform)).find((found) => found !== undefined);
    if (fault !== undefined) throw this.#refusal(fault);
    return this.#way.place([part, ...rest]);
  }

  #refusal(why: string): GatewayError {
    return new GatewayError('OUTSIDE_WORKSPACE', `${shownPath(this.#text)} is refused: ${why}`, { effect: 'none' });
  }
}
