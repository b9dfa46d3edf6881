import type { Database } from '../database/database.ts';
import type { Engine } from '../database/engine.ts';
import type { Queries } from '../database/tables.ts';

type Listener = (projectId: string) => void;

/** Tells listeners which projects were changed, by this process (at once) or by another one. */
export class ChangeFeed {
  readonly #database: Database;
  /** The prefix of this process's announcements, so that it ignores them. */
  readonly #self: string;
  readonly #listeners = new Set<Listener>();
  /** SQLite numbers the changes: the last one that was looked at, and our own ones after it. */
  #seen: number | undefined;
  readonly #own = new Set<number>();
  #stop: (() => void) | undefined;
  #reading: Promise<void> = Promise.resolve();

  constructor(database: Database, self: string) {
    this.#database = database;
    this.#self = self;
  }

  /** Returns the message that tells other processes of a change. */
  wordFor(projectId: string): string {
    return `${this.#self}/${projectId}`;
  }

  /** Called when this process has changed a project, with the number of the change if there is one. */
  onOwnChange(projectId: string, seq: number | undefined): void {
    if (seq !== undefined && this.#stop !== undefined) this.#own.add(seq);
    this.#tell(projectId);
  }

  listen(listener: Listener): () => void {
    // Given twice it is told twice, and stopped one by one.
    const own: Listener = (projectId) => listener(projectId);
    this.#listeners.add(own);
    if (this.#stop === undefined) this.#begin();
    return () => {
      this.#listeners.delete(own);
      if (this.#listeners.size === 0) this.end();
    };
  }

  end(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#listeners.clear();
    this.#own.clear();
    this.#seen = undefined;
  }

  #begin(): void {
    const stop = this.#database.watch((word) => {
      if (word === undefined) this.#lookSoon();
      else this.#onWord(word);
    });
    this.#stop = stop;
    this.#lookSoon();
  }

  #onWord(word: string): void {
    const slash = word.indexOf('/');
    if (slash !== -1 && word.slice(0, slash) !== this.#self) this.#tell(word.slice(slash + 1));
  }

  /** One look after the other. What fails now is seen at the next one. */
  #lookSoon(): void {
    this.#reading = this.#reading.then(() => this.#look()).catch(() => undefined);
  }

  async #look(): Promise<void> {
    if (this.#stop === undefined) return;
    const changed = await this.#database.run((engine) => this.#changed(engine));
    for (const projectId of changed) this.#tell(projectId);
  }

  /**
   * Returns the projects that have changed. If there are no numbers, any project may have changed. The first look only
   * finds out the present state.
   */
  async #changed({ kind, queries }: Engine): Promise<string[]> {
    if (kind === 'postgres') {
      const isFirst = this.#seen === undefined;
      this.#seen = 0;
      if (isFirst) return [];
      const heads = await queries.selectFrom('checkpoint_heads').select('project_id').execute();
      return heads.map(({ project_id }) => project_id);
    }
    const last = await lastChange(queries);
    // Another file is at the place of the one that was looked at.
    const isOther = this.#seen !== undefined && last < this.#seen;
    const since = isOther ? 0 : (this.#seen ?? last);
    const rows = await queries.selectFrom('checkpoint_changes').selectAll().where('seq', '>', since).execute();
    this.#seen = Math.max(since, ...rows.map(({ seq }) => seq));
    const foreign = rows.filter(({ seq }) => isOther || !this.#own.has(seq));
    for (const seq of this.#own) if (seq <= this.#seen) this.#own.delete(seq);
    return foreign.map(({ project_id }) => project_id);
  }

  /** A listener that throws harms neither the others nor the change. */
  #tell(projectId: string): void {
    for (const listener of this.#listeners) {
      try {
        listener(projectId);
      } catch {
        // It has its own way to say what is wrong with it.
      }
    }
  }
}

async function lastChange(queries: Queries): Promise<number> {
  const newest = queries.selectFrom('checkpoint_changes').select('seq').orderBy('seq', 'desc').limit(1);
  return (await newest.executeTakeFirst())?.seq ?? 0;
}
