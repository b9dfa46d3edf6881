import type { ProjectTaskStore } from '../../core/projects/project-task.ts';
import type { Settings } from '../../gateway/settings/load-settings.ts';
import { resolveProject } from '../../projects/identity/resolve-project.ts';
import { openCheckpointStore } from '../../store/checkpoints/open-checkpoint-store.ts';
import { openDatabase } from '../../store/database/database.ts';
import { openTaskStore } from '../../store/tasks/open-task-store.ts';
import { type Clean, cleaner } from '../../workflows/tasks/clean.ts';
import { tasksOptions } from '../../workflows/tasks/options.ts';

export interface OpenTaskStore {
  readonly store: ProjectTaskStore;
  readonly clean: Clean;
  /** Returns the project of a folder. */
  projectIn(folder: string): Promise<string>;
  close(): Promise<void>;
}

/** Opens the tasks in the config's database, whether or not a gateway runs or the workflow is on. */
export function openTasks({ config, home }: Settings): OpenTaskStore {
  const database = openDatabase({ home, url: config.database });
  const store = openTaskStore(database);
  const identities = openCheckpointStore({ database });
  return {
    store,
    clean: cleaner(tasksOptions.parse(config.workflows.tasks)),
    projectIn: async (folder) => (await resolveProject({ cwd: folder, store: identities })).projectId,
    async close() {
      await Promise.all([store.close(), identities.close()]);
      await database.close();
    },
  };
}
