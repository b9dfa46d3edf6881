import { GatewayError } from '../../core/errors.ts';
import type { WorkspaceRoot } from '../../core/settings/workspace-settings.ts';
import { errorCode, type Found, type Ground, type HeldFolder } from '../ground/ground.ts';
import { Place } from '../place.ts';

/** A folder, and the name by which it was entered. */
interface Step {
  readonly name: string;
  readonly folder: HeldFolder;
}

/** The folders that a walk has come through, all of them held: the root first, and none at the top of several roots. */
export class Way {
  readonly #ground: Ground;
  readonly #steps: Step[] = [];
  #root: WorkspaceRoot | undefined;

  constructor(ground: Ground) {
    this.#ground = ground;
  }

  /** The root that the walk is in; `undefined` at the top of several roots. */
  get root(): WorkspaceRoot | undefined {
    return this.#root;
  }

  /** The folder that the walk has reached; `undefined` at the top of several roots. */
  get here(): HeldFolder | undefined {
    return this.#steps.at(-1)?.folder;
  }

  /** The number of folders, with the root. */
  get depth(): number {
    return this.#steps.length;
  }

  /** @throws GatewayError if the folder of the root cannot be opened */
  async enterRoot(root: WorkspaceRoot): Promise<void> {
    this.#root = root;
    this.#steps.push({ name: root.name ?? '', folder: await openRoot(this.#ground, root) });
  }

  /** Returns the entry under a name in a folder that is `here`. If it is a folder, the walk is in it from now on. */
  async enter(here: HeldFolder, name: string): Promise<Found> {
    const found = await this.#ground.enter(here, name);
    if (found.kind === 'folder') this.#steps.push({ name, folder: found.folder });
    return found;
  }

  /** Goes back to the folder before, or to the top of the roots. */
  async back(): Promise<void> {
    await this.#steps.pop()?.folder.close();
    if (this.#steps.length === 0) this.#root = undefined;
  }

  /** Goes back all the way. */
  async close(): Promise<void> {
    await Promise.all(this.#steps.splice(0).map(({ folder }) => folder.close()));
  }

  /**
   * Returns the place that the walk has reached. From now on the place holds the folders.
   * @param rest the parts of the path that are not existing folders; none if the place is the folder `here`
   */
  place(rest: readonly string[]): Place {
    const [, ...below] = this.#steps;
    return new Place({
      root: this.#root,
      way: this.#steps.map((step) => step.folder),
      names: below.map(({ name }) => name),
      folder: rest.length === 0 ? this.here : undefined,
      rest,
    });
  }
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
