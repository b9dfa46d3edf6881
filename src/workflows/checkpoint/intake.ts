import type { JsonObject } from '../../core/stores/checkpoint-store.ts';
import { readGitState } from '../../projects/git/git-state.ts';
import { redact } from '../../redaction/redact.ts';
import type { Project } from '../project-of.ts';
import { parsePatch } from './bundle/validate.ts';
import type { CheckpointOptions } from './options.ts';

/** Prepares incoming parts of a bundle before they are merged: checks them, adds the git state, and removes secrets. */
export class Intake {
  readonly #options: CheckpointOptions;

  constructor(options: CheckpointOptions) {
    this.#options = options;
  }

  /** Returns the patch as it may be merged. @throws GatewayError when it is not valid. */
  async patch(project: Project, given: JsonObject): Promise<JsonObject> {
    return this.clean(project.id, await this.#withGit(parsePatch(given), project));
  }

  /** Returns the value without anything that looks like a secret, unless the config says otherwise for this project. */
  clean<T extends JsonObject>(projectId: string, value: T): T {
    const { redaction, projects } = this.#options;
    const mode = projects[projectId]?.redaction ?? redaction;
    return mode === 'off' ? value : (redact(value).value as T);
  }

  async #withGit(patch: JsonObject, { root, folderRule }: Project): Promise<JsonObject> {
    const { git: mode } = this.#options;
    const { git, project } = patch as { git?: unknown; project?: { git?: unknown } | null };
    if (mode === 'off' || root === undefined || git !== undefined || project?.git !== undefined) return patch;
    const state = await readGitState(root, { diffs: mode === 'diffs', folderRule });
    return state === undefined ? patch : { ...patch, git: { ...state } };
  }
}
