import { BuildRecorder } from '../../builds/build-recorder.ts';
import type { Recording } from '../../builds/recording.ts';
import { openBuildStore } from '../../store/builds/open-build-store.ts';
import { openCheckpointStore } from '../../store/checkpoints/open-checkpoint-store.ts';
import { type BuildNames, buildPlace } from '../build-place.ts';
import type { CallingClient, WorkflowContext } from '../define.ts';
import type { LaunchRequest } from './launch.ts';

/** The number of builds that are kept if the workflow `ide` is off; if it is on, its options decide. */
const KEEP = 1_000;

export type ProcessBuildsContext = Pick<
  WorkflowContext<unknown>,
  'home' | 'env' | 'live' | 'log' | 'mask' | 'openDatabase'
>;

export interface ProcessBuilds {
  begin(request: LaunchRequest, names: BuildNames, client: CallingClient): Promise<Recording>;
  /** Waits for what is being stored. */
  close(): Promise<void>;
}

/** Opens the records of builds for the processes that clients start as such. */
export function openProcessBuilds({ home, env, live, log, mask, openDatabase }: ProcessBuildsContext): ProcessBuilds {
  const database = openDatabase();
  const store = openBuildStore(database);
  const identities = openCheckpointStore({ database });
  const recorder = new BuildRecorder({ home, store, live, log, mask, keep: KEEP });
  return {
    async begin({ command, args, folder, env: added }, names, client) {
      const place = await buildPlace(folder.realPath, { names, client, identities, env });
      return recorder.begin({ ...place, command: [command, ...args], env: added });
    },
    close: async () => {
      await Promise.all([store.close(), identities.close()]);
    },
  };
}
