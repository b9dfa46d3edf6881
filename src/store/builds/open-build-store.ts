import type { Build, BuildEnd, BuildQuery, BuildStore, NewBuild } from '../../core/stores/build-store.ts';
import type { Database } from '../database/database.ts';
import type { Engine } from '../database/engine.ts';
import { UnderWay } from '../database/under-way.ts';

/** The statements come with the builder of queries, which a gateway does not need before the first call. */
const rows = () => import('./build-rows.ts');

/** Returns the builds in a database. Closing the store leaves the database open: it belongs to the caller. */
export function openBuildStore(database: Database): BuildStore {
  return new DatabaseBuilds(database);
}

class DatabaseBuilds implements BuildStore {
  readonly #database: Database;
  readonly #underWay = new UnderWay();

  constructor(database: Database) {
    this.#database = database;
  }

  start(build: NewBuild): Promise<void> {
    return this.#run(async (engine) => (await rows()).insertBuild(engine, build));
  }

  end(id: string, end: BuildEnd): Promise<void> {
    return this.#run(async (engine) => (await rows()).endBuild(engine, id, end));
  }

  get(id: string): Promise<Build | undefined> {
    return this.#run(async (engine) => (await rows()).readBuild(engine, id));
  }

  list(query: BuildQuery): Promise<readonly Build[]> {
    return this.#run(async (engine) => (await rows()).readBuilds(engine, query));
  }

  projects(): Promise<readonly (string | undefined)[]> {
    return this.#run(async (engine) => (await rows()).readProjects(engine));
  }

  prune(machine: string, keep: number): Promise<readonly string[]> {
    return this.#run(async (engine) => (await rows()).pruneBuilds(engine, machine, keep));
  }

  close(): Promise<void> {
    return this.#underWay.end();
  }

  #run<T>(work: (engine: Engine) => Promise<T>): Promise<T> {
    return this.#underWay.add(this.#database.run(work));
  }
}
