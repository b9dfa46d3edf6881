import type {
  BundleAppender,
  BundleChanger,
  ChangeFacts,
  CheckpointStore,
  ProjectInfo,
  RevisionInfo,
  StoredBundle,
} from '../../../src/core/stores/checkpoint-store.ts';

interface Revision extends StoredBundle {
  readonly kind: string;
}

/** A store for tests that are not about storing. */
export class MemoryCheckpoints implements CheckpointStore {
  readonly #projects = new Map<string, Revision[]>();
  readonly #identities = new Map<string, string>();
  readonly #listeners = new Set<(projectId: string) => void>();
  /** Thrown by the next changes, as long as it is set. */
  failure: Error | undefined;
  isClosed = false;

  async load(projectId: string, revision?: number): Promise<StoredBundle | undefined> {
    const revisions = this.#projects.get(projectId) ?? [];
    return revision === undefined ? revisions.at(-1) : revisions.find((one) => one.revision === revision);
  }

  async update<T>(
    projectId: string,
    { sourceIde, kind, at }: ChangeFacts,
    change: BundleChanger<T>,
  ): Promise<{ readonly stored: StoredBundle; readonly outcome: T }> {
    if (this.failure !== undefined) throw this.failure;
    const revisions = this.#projects.get(projectId) ?? [];
    const before = revisions.at(-1);
    const { bundle, outcome } = await change(before?.bundle);
    if (before !== undefined && bundle === before.bundle) return { stored: before, outcome };
    const updatedAt = at ?? new Date().toISOString();
    const stored = { projectId, revision: (before?.revision ?? 0) + 1, bundle, updatedAt, sourceIde, kind };
    this.#projects.set(projectId, [...revisions, stored]);
    for (const listener of this.#listeners) listener(projectId);
    return { stored, outcome };
  }

  /** Has no notes, and adds to the whole bundle. */
  async append<T>(projectId: string, facts: ChangeFacts, { change }: BundleAppender<T>): Promise<T> {
    return (await this.update(projectId, facts, change)).outcome;
  }

  async history(projectId: string, limit: number): Promise<readonly RevisionInfo[]> {
    return (this.#projects.get(projectId) ?? []).toReversed().slice(0, limit);
  }

  async projects(): Promise<readonly ProjectInfo[]> {
    return [...this.#projects].map(([projectId, revisions]) => {
      const { revision, updatedAt, sourceIde } = revisions.at(-1)!;
      return { projectId, revision, updatedAt, lastSourceIde: sourceIde };
    });
  }

  async remove(projectId: string): Promise<boolean> {
    const had = this.#projects.delete(projectId);
    for (const listener of this.#listeners) listener(projectId);
    return had;
  }

  async prune(): Promise<number> {
    return 0;
  }

  async rememberIdentity(folderKey: string, projectId: string): Promise<void> {
    this.#identities.set(folderKey, projectId);
  }

  async identityOf(folderKey: string): Promise<string | undefined> {
    return this.#identities.get(folderKey);
  }

  onChange(listener: (projectId: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }
}
