import type { JsonObject } from '../../core/stores/checkpoint-store.ts';
import { TurnsByKey } from '../../core/timing/turns-by-key.ts';
import { readGitState } from '../../projects/git/git-state.ts';
import { redactInSlices } from '../../redaction/redact.ts';
import type { Project } from '../project-of.ts';
import { parsePatchInSlices } from './bundle/validate.ts';
import type { CheckpointOptions } from './options.ts';

/** Prepares incoming parts of a bundle before they are merged: checks them, adds the git state, and removes secrets. */
export class Intake {
  readonly #options: CheckpointOptions;
  /** A small change does not overtake a large one of the same project. */
  readonly #turns = new TurnsByKey();

  constructor(options: CheckpointOptions) {
    this.#options = options;
  }

  /** Returns the patch as it may be merged. @throws GatewayError when it is not valid. */
  async patch(project: Project, given: JsonObject): Promise<JsonObject> {
    return this.#turns.run(project.id, async () => {
      const patch = await this.#withGit(await parsePatchInSlices(given), project);
      return this.#withoutSecrets(project.id, patch);
    });
  }

  /** Returns the value without anything that looks like a secret, unless the config says otherwise for this project. */
  async clean<T extends JsonObject>(projectId: string, value: T): Promise<T> {
    return this.#turns.run(projectId, () => this.#withoutSecrets(projectId, value));
  }

  async #withoutSecrets<T extends JsonObject>(projectId: string, value: T): Promise<T> {
    const { redaction, projects } = this.#options;
    const mode = projects[projectId]?.redaction ?? redaction;
    return mode === 'off' ? value : redactInSlices(value);
  }

  async #withGit(patch: JsonObject, { root, folderRule }: Project): Promise<JsonObject> {
    const { git: mode } = this.#options;
    const { git, project } = patch as { git?: unknown; project?: { git?: unknown } | null };
    if (mode === 'off' || root === undefined || git !== undefined || project?.git !== undefined) return patch;
    const state = await readGitState(root, { diffs: mode === 'diffs', folderRule });
    return state === undefined ? patch : { ...patch, git: { ...state } };
  }
}
