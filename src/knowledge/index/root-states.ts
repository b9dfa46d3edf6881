import type { IndexProgress } from './knowledge.ts';

type WorkerEvent =
  | { readonly kind: 'run'; readonly root: string; readonly progress: IndexProgress | undefined }
  | { readonly kind: 'state'; readonly root: string; readonly isFresh: boolean };

/** State of the roots as the indexing thread has reported it. */
export class RootStates {
  readonly #fresh = new Set<string>();
  readonly #runs = new Map<string, IndexProgress>();

  note(event: unknown): void {
    const told = event as WorkerEvent;
    if (told.kind === 'run') this.#noteRun(told.root, told.progress);
    else if (told.isFresh) this.#fresh.add(told.root);
    else this.#fresh.delete(told.root);
  }

  /** Forgets all roots: changes are not reported any more. */
  clear(): void {
    this.#fresh.clear();
    this.#runs.clear();
  }

  /** Returns true if the index matches the folder, as far as changes were reported. */
  isFresh(root: string): boolean {
    return this.#fresh.has(root);
  }

  run(root: string): IndexProgress | undefined {
    return this.#runs.get(root);
  }

  /** Returns the roots that are being indexed. */
  running(): readonly string[] {
    return [...this.#runs.keys()];
  }

  #noteRun(root: string, progress: IndexProgress | undefined): void {
    this.#fresh.delete(root);
    if (progress === undefined) this.#runs.delete(root);
    else this.#runs.set(root, progress);
  }
}
