import type {
  NewTask,
  ProjectTask,
  ProjectTaskStore,
  TaskChange,
  TaskPage,
  TaskQuery,
} from '../../core/projects/project-task.ts';
import type { Database } from '../database/database.ts';
import type { Engine } from '../database/engine.ts';
import { UnderWay } from '../database/under-way.ts';

/** The statements come with the builder of queries, which a gateway does not need before the first call. */
const reading = () => import('./task-rows.ts');
const writing = () => import('./task-changes.ts');

/** Returns the tasks in a database. Closing the store leaves the database open: it belongs to the caller. */
export function openTaskStore(database: Database): ProjectTaskStore {
  return new DatabaseTasks(database);
}

class DatabaseTasks implements ProjectTaskStore {
  readonly #database: Database;
  readonly #underWay = new UnderWay();

  constructor(database: Database) {
    this.#database = database;
  }

  get(id: string): Promise<ProjectTask | undefined> {
    return this.#run(async (engine) => (await reading()).readTask(engine, id));
  }

  list(query: TaskQuery): Promise<TaskPage> {
    return this.#run(async (engine) => (await reading()).readPage(engine, query));
  }

  projects(): Promise<readonly string[]> {
    return this.#run(async (engine) => (await reading()).readProjects(engine));
  }

  create(task: NewTask): Promise<ProjectTask> {
    return this.#run(async (engine) => (await writing()).createTask(engine, task));
  }

  update(id: string, change: TaskChange): Promise<ProjectTask | undefined> {
    return this.#run(async (engine) => (await writing()).updateTask(engine, id, change));
  }

  add(tasks: readonly ProjectTask[]): Promise<ReadonlySet<string>> {
    return this.#run(async (engine) => (await writing()).addTasks(engine, tasks));
  }

  close(): Promise<void> {
    return this.#underWay.end();
  }

  #run<T>(work: (engine: Engine) => Promise<T>): Promise<T> {
    return this.#underWay.add(this.#database.run(work));
  }
}
