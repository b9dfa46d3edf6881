import type { ChildProcess } from 'node:child_process';
import type { ContainerClient } from '../../../process/containers/containers.ts';
import { hasExited, type ProcessTree, signalGroup, stopTree } from '../../../process/process-group.ts';
import type { Reaper } from '../../../process/reaper.ts';

export interface ServerProcessParts {
  readonly tree: ProcessTree;
  /** Present if the process is the client of a container engine. */
  readonly container: Pick<ContainerClient, 'end'> | undefined;
  readonly reaper: Pick<Reaper, 'remove'>;
}

/** The process of a server, with its descendants and the container that it may have started. */
export class ServerProcess {
  readonly #parts: ServerProcessParts;

  constructor(parts: ServerProcessParts) {
    this.#parts = parts;
  }

  get child(): ChildProcess {
    return this.#parts.tree.child;
  }

  /** Asks the process to end, if it runs. */
  terminate(): void {
    if (!hasExited(this.child)) signalGroup(this.child.pid, 'SIGTERM');
  }

  /** Ends the process and everything it started; resolves when all of it is gone. */
  async stop(): Promise<void> {
    const stopped = this.#stopTree();
    await Promise.all([stopped, this.#parts.container?.end(stopped.then(() => this.child.exitCode))]);
  }

  async #stopTree(): Promise<void> {
    const { tree, reaper } = this.#parts;
    const { child } = tree;
    const isGone = await stopTree(tree);
    if (child.pid !== undefined && isGone) reaper.remove(child.pid);
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
}
