import type { CheckpointStore } from '../../core/stores/checkpoint-store.ts';
import type { Settings } from '../../gateway/settings/load-settings.ts';
import { openCheckpointStore } from '../../store/checkpoints/open-checkpoint-store.ts';
import { openDatabase } from '../../store/database/database.ts';
import { openTaskStore } from '../../store/tasks/open-task-store.ts';
import type { OpenTasks } from '../../workflows/checkpoint/bundle/open-tasks.ts';
import { readOpenTasks } from '../../workflows/checkpoint/open-tasks.ts';
import { type CheckpointOptions, checkpointOptions } from '../../workflows/checkpoint/options.ts';

export interface OpenStore {
  readonly store: CheckpointStore;
  readonly options: CheckpointOptions;
  /** Returns the open tasks of a project; `undefined` if there are none, or if the workflow `tasks` is off. */
  openTasks(projectId: string): Promise<OpenTasks | undefined>;
  close(): Promise<void>;
}

/** Returns the store of the config's database, whether or not a gateway runs or the workflow is on. */
export function openStore({ config, home }: Settings): OpenStore {
  // Without a section in the config there are none in it yet.
  const options = checkpointOptions.parse(config.workflows.checkpoint);
  const database = openDatabase({ home, url: config.database });
  const store = openCheckpointStore({ database, keep: options.history.keep });
  return {
    store,
    options,
    openTasks: async (projectId) =>
      config.enabledWorkflows.includes('tasks') ? readOpenTasks(openTaskStore(database), projectId) : undefined,
    async close() {
      await store.close();
      await database.close();
    },
  };
}
