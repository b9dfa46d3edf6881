import type { CheckpointStore } from '../../core/checkpoint-store.ts';
import { openCheckpointStore } from '../../store/checkpoints/open-checkpoint-store.ts';
import { openDatabase } from '../../store/database/database.ts';
import { checkpointOptions } from '../../workflows/checkpoint/options.ts';
import type { Settings } from '../load-settings.ts';

export interface OpenStore {
  readonly store: CheckpointStore;
  /** So many revisions of a project the config keeps. */
  readonly keep: number;
  close(): Promise<void>;
}

/** The store of the config's database, whether or not a gateway runs or the workflow is on. */
export function openStore({ config, home }: Settings): OpenStore {
  const { keep } = checkpointOptions.parse(config.workflows.checkpoint).history;
  const database = openDatabase({ home, url: config.database });
  const store = openCheckpointStore({ database, keep });
  return {
    store,
    keep,
    async close() {
      await store.close();
      await database.close();
    },
  };
}
