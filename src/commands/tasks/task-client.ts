import type { JsonObject } from '../../core/stores/checkpoint-store.ts';
import { callTool } from '../../gateway/client/call-tool.ts';
import type { LocalClient } from '../../gateway/client/local-client.ts';
import type { TaskRecord, TaskSummary } from '../../workflows/tasks/task-record.ts';

export type { TaskRecord };

export interface TaskList {
  readonly tasks: readonly (TaskSummary & Partial<TaskRecord>)[];
  readonly total_count: number;
}

/** The tools of tasks as the command line uses them. Arguments are those of the tools; what is `undefined` is left out. */
export class TaskClient {
  readonly #client: LocalClient;
  readonly #folder: string;

  /** @param folder where the command was started, which says what the project is */
  constructor(client: LocalClient, folder: string) {
    this.#client = client;
    this.#folder = folder;
  }

  async list(args: JsonObject): Promise<TaskList> {
    return (await this.#call('list_tasks', args)) as unknown as TaskList;
  }

  get(id: string): Promise<TaskRecord> {
    return this.#record('get_task', { task_id: id });
  }

  create(args: JsonObject): Promise<TaskRecord> {
    return this.#record('create_task', args);
  }

  update(id: string, args: JsonObject): Promise<TaskRecord> {
    return this.#record('update_task', { task_id: id, ...args });
  }

  async #record(tool: string, args: JsonObject): Promise<TaskRecord> {
    return (await this.#call(tool, args)) as unknown as TaskRecord;
  }

  #call(tool: string, args: JsonObject): Promise<JsonObject> {
    return callTool(this.#client, tool, args, this.#folder);
  }
}
