import type { Recording } from '../../builds/recording.ts';
import type { BuildNames } from '../build-place.ts';
import type { CallingClient } from '../define.ts';
import type { LaunchRequest } from './launch.ts';
import type { ProcessBuilds, ProcessBuildsContext } from './process-builds.ts';

/** Records processes as builds. The code for it and the database are there from the first build on. */
export class LazyBuilds {
  readonly #context: ProcessBuildsContext;
  #opened: Promise<ProcessBuilds> | undefined;

  constructor(context: ProcessBuildsContext) {
    this.#context = context;
  }

  /**
   * Begins to record a process that is about to start.
   * @throws GatewayError when the client may not use the project of the folder, or the database cannot be used
   */
  async begin(request: LaunchRequest, names: BuildNames, client: CallingClient): Promise<Recording> {
    this.#opened ??= import('./process-builds.ts').then(({ openProcessBuilds }) => openProcessBuilds(this.#context));
    return (await this.#opened).begin(request, names, client);
  }

  async stop(): Promise<void> {
    await (await this.#opened)?.close();
  }
}
