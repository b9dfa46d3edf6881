import { stat } from 'node:fs/promises';
import path from 'node:path';
import { GatewayError } from '../core/errors.ts';
import type { WorkspaceRoot } from '../core/settings/workspace-settings.ts';
import { failed, fileFailure, protectedFailure, shownPath } from './failures.ts';
import { errorCode, type Ground, type HeldFolder, isSame } from './ground/ground.ts';
import { nameFault, partsOf, pathFault } from './path-rules.ts';
import { Place } from './place.ts';
import type { ClosedFolder } from './protection/guard.ts';

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

/** The present position of the walk: a folder, and the name by which it was entered. */
interface Step {
  readonly name: string;
  readonly folder: HeldFolder;
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
  const walker = new Walker(roots, ground, text, options);
  try {
    return await walker.go();
  } catch (error) {
    await walker.close();
    throw fileFailure(text, error);
  }
}

class Walker {
  readonly #roots: readonly WorkspaceRoot[];
  readonly #ground: Ground;
  readonly #text: string;
  readonly #options: WalkOptions;
  #root: WorkspaceRoot | undefined;
  /** The root first; empty at the top of several roots. */
  readonly #way: Step[] = [];
  /** Parts that are still to go, the next one last. */
  #ahead: string[] = [];
  #links = 0;

  constructor(roots: readonly WorkspaceRoot[], ground: Ground, text: string, options: WalkOptions) {
    this.#roots = roots;
    this.#ground = ground;
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
    return this.#at(this.#way.at(-1)?.folder, []);
  }

  async close(): Promise<void> {
    await Promise.all(this.#way.splice(0).map(({ folder }) => folder.close()));
  }

  async #begin(text: string): Promise<void> {
    if (path.isAbsolute(text)) return this.#goToAbsolute(text);
    const [only] = this.#roots;
    if (only !== undefined && only.name === undefined) await this.#enterRoot(only);
    this.#put(partsOf(text, process.platform));
  }

  #put(parts: readonly string[]): void {
    this.#ahead.push(...parts.toReversed());
  }

  async #enterRoot(root: WorkspaceRoot): Promise<void> {
    this.#root = root;
    this.#way.push({ name: root.name ?? '', folder: await openRoot(this.#ground, root) });
  }

  /** Gives the place once the path is at its end. */
  async #take(part: string): Promise<Place | undefined> {
    if (part === '' || part === '.') return undefined;
    if (part === '..') return this.#back();
    const fault = nameFault(part, process.platform);
    if (fault !== undefined) throw this.#refusal(fault);
    const here = this.#way.at(-1)?.folder;
    if (here === undefined) {
      await this.#enterRoot(this.#rootNamed(part));
      return undefined;
    }
    if (this.#way.length > MAX_DEPTH) throw this.#refusal(`more than ${MAX_DEPTH} folders deep`);
    const isLast = this.#ahead.length === 0;
    const found = await this.#ground.enter(here, part);
    switch (found.kind) {
      case 'folder':
        this.#way.push({ name: part, folder: found.folder });
        this.#checkIsOpen(found.folder);
        return undefined;
      case 'link':
        if (isLast && !this.#options.follow) return this.#at(undefined, [part]);
        await this.#follow(part, found.target);
        return undefined;
      case 'missing':
        return this.#atMissing(part);
      case 'other':
      case 'locked':
        if (isLast) return this.#at(undefined, [part]);
        throw this.#failed(found.kind === 'other' ? `${part} is no folder` : `no permission to enter ${part}`);
    }
  }

  async #back(): Promise<undefined> {
    // Links lead from one root to another by absolute paths only: what is above a root is not the top that paths see.
    const mayLeaveRoot = this.#root?.name !== undefined && this.#links === 0;
    if (this.#way.length <= (mayLeaveRoot ? 0 : 1)) throw this.#refusal('".." leads out of the workspace');
    await this.#way.pop()?.folder.close();
    if (this.#way.length === 0) this.#root = undefined;
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

  /** The first folder on the way that is a root is where it goes on: names may differ in case, or have links before. */
  async #goToAbsolute(target: string): Promise<void> {
    const drive = path.parse(target).root;
    const parts = partsOf(target.slice(drive.length), process.platform);
    const found = await this.#findRoot(drive, parts);
    if (found === undefined) throw this.#refusal('it is outside of the workspace');
    await this.close();
    await this.#enterRoot(found.root);
    this.#put(found.rest);
  }

  async #findRoot(drive: string, parts: readonly string[]) {
    // Nobody else's drive is asked: on Windows it may be that of another machine, which would learn who we are.
    const roots = this.#roots.filter(({ folder }) => isSameDrive(drive, path.parse(folder).root));
    if (roots.length === 0) return undefined;
    const known = await Promise.all(roots.map(async (root) => ({ root, facts: await factsOf(root.folder) })));
    let prefix = drive;
    for (let count = 0; count <= parts.length; count++) {
      // That would tell which folders there are outside.
      if (parts[count - 1] === '..') return undefined;
      if (count > 0) prefix = count === 1 ? `${drive}${parts[0]}` : `${prefix}${path.sep}${parts[count - 1]}`;
      const facts = await factsOf(prefix);
      if (facts === undefined) return undefined;
      const match = known.find((candidate) => candidate.facts !== undefined && isSame(candidate.facts, facts));
      if (match !== undefined) return { root: match.root, rest: parts.slice(count) };
    }
    return undefined;
  }

  #atMissing(part: string): Place {
    const rest = this.#ahead.toReversed().filter((name) => name !== '.' && name !== '');
    if (rest.length === 0) return this.#at(undefined, [part]);
    if (this.#options.mayLack !== true || rest.includes('..')) throw this.#failed(`there is no folder ${part}`);
    if (this.#way.length + rest.length > MAX_DEPTH) throw this.#refusal(`more than ${MAX_DEPTH} folders deep`);
    const fault = rest.map((name) => nameFault(name, process.platform)).find((found) => found !== undefined);
    if (fault !== undefined) throw this.#refusal(fault);
    return this.#at(undefined, [part, ...rest]);
  }

  #at(folder: HeldFolder | undefined, rest: readonly string[]): Place {
    const [, ...below] = this.#way;
    return new Place({
      root: this.#root,
      way: this.#way.map((step) => step.folder),
      names: below.map(({ name }) => name),
      folder,
      rest,
    });
  }

  #refusal(why: string): GatewayError {
    return new GatewayError('OUTSIDE_WORKSPACE', `${shownPath(this.#text)} is refused: ${why}`, { effect: 'none' });
  }

  #failed(why: string): GatewayError {
    return failed(this.#text, why);
  }
}

function isSameDrive(one: string, other: string): boolean {
  return path.normalize(one).toLowerCase() === path.normalize(other).toLowerCase();
}

async function openRoot(ground: Ground, { name, folder }: WorkspaceRoot): Promise<HeldFolder> {
  try {
    return await ground.open(folder);
  } catch (error) {
    const which = name === undefined ? 'The workspace' : `The root "${name}" of the workspace`;
    const message = `${which}, ${folder}, cannot be opened (${errorCode(error) ?? String(error)}): make the folder, or name another one in the config (workspace)`;
    throw new GatewayError('FILE_FAILED', message, { effect: 'none', cause: error });
  }
}

async function factsOf(place: string) {
  try {
    return await stat(place, { bigint: true });
  } catch {
    return undefined;
  }
}
