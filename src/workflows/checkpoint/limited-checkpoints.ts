import type { CallingClient } from '../define.ts';
import { mayUse, requireProject } from '../project-access.ts';
import type { Checkpoints } from './checkpoints.ts';

/** The operations on checkpoints that a client may use. */
export type ClientCheckpoints = Pick<
  Checkpoints,
  'save' | 'load' | 'appendDecision' | 'appendTodo' | 'updateTodo' | 'projects' | 'suggest' | 'history' | 'remove'
>;

/**
 * Returns the checkpoints that a client may use. Reads find nothing of other projects; changes of them are rejected with a
 * GatewayError.
 */
export function checkpointsFor(client: CallingClient, all: Checkpoints): ClientCheckpoints {
  return mayUse(client, undefined) ? all : new LimitedCheckpoints(client, all);
}

class LimitedCheckpoints implements ClientCheckpoints {
  readonly #client: CallingClient;
  readonly #all: Checkpoints;

  constructor(client: CallingClient, all: Checkpoints) {
    this.#client = client;
    this.#all = all;
  }

  async save(...args: Parameters<Checkpoints['save']>) {
    this.#require(args[0].id);
    return this.#all.save(...args);
  }

  async load(projectId: string, revision?: number) {
    return mayUse(this.#client, projectId) ? this.#all.load(projectId, revision) : undefined;
  }

  async appendDecision(...args: Parameters<Checkpoints['appendDecision']>) {
    this.#require(args[0].id);
    return this.#all.appendDecision(...args);
  }

  async appendTodo(...args: Parameters<Checkpoints['appendTodo']>) {
    this.#require(args[0].id);
    return this.#all.appendTodo(...args);
  }

  async updateTodo(...args: Parameters<Checkpoints['updateTodo']>) {
    this.#require(args[0].id);
    return this.#all.updateTodo(...args);
  }

  async projects() {
    const projects = await this.#all.projects();
    return projects.filter(({ projectId }) => mayUse(this.#client, projectId));
  }

  async suggest(typed: string) {
    const suggested = await this.#all.suggest(typed);
    return suggested.filter((projectId) => mayUse(this.#client, projectId));
  }

  async history(projectId: string, limit: number) {
    return mayUse(this.#client, projectId) ? this.#all.history(projectId, limit) : [];
  }

  async remove(projectId: string) {
    this.#require(projectId);
    return this.#all.remove(projectId);
  }

  #require(projectId: string): void {
    requireProject(this.#client, projectId, `the project ${projectId}`);
  }
}
