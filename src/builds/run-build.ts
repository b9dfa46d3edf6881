import { setTimeout as delay } from 'node:timers/promises';
import { ManagedProcess } from '../process/managed/managed-process.ts';
import type { Reaper } from '../process/reaper.ts';
import { type SpawnOptions, spawnTree } from '../process/spawn-tree.ts';
import type { Log } from '../telemetry/log.ts';
import { endOfBuild } from './build-end.ts';
import type { Recording } from './recording.ts';

/** The share of the gateway's time that reading the output of one build may take. */
const READING_SHARE = 0.3;
/** Its output is in the log. */
const KEPT_BYTES = 1_024;
const GRACE_MS = 5_000;
/** The time to wait for the last output when the gateway ends, in milliseconds. */
const LAST_OUTPUT_MS = 1_000;

export interface RunOptions {
  readonly recording: Recording;
  readonly reaper: Reaper;
  readonly log: Log;
  /** The time after which it is ended, in milliseconds. */
  readonly timeoutMs: number;
}

/** A build that runs by itself, with all that it starts, until it has ended or its time is over. */
export class BuildRun {
  readonly id: string;
  /** Resolves when it has ended and that is kept. */
  readonly ended: Promise<void>;
  readonly #process: ManagedProcess;
  readonly #recording: Recording;
  #isLate = false;

  /** @throws what the system says if the program cannot be started */
  static async start(spawn: SpawnOptions, options: RunOptions): Promise<BuildRun> {
    const tree = spawnTree(spawn, options.reaper);
    // Without a number it does not run, and the reason follows.
    if (tree.child.pid === undefined) await tree.running;
    return new BuildRun(tree, spawn, options);
  }

  private constructor(tree: ReturnType<typeof spawnTree>, spawn: SpawnOptions, options: RunOptions) {
    const { recording, reaper, log, timeoutMs } = options;
    this.id = recording.id;
    this.#recording = recording;
    const timer = setTimeout(() => this.#onLate(), timeoutMs);
    this.#process = new ManagedProcess(tree, {
      facts: { id: recording.id, owner: '', command: spawn.file, args: spawn.args, dir: spawn.cwd },
      graceMs: GRACE_MS,
      output: {
        capacity: KEPT_BYTES,
        share: () => READING_SHARE,
        onText: (text, stream) => recording.write(text, stream),
      },
      onEnded: (end, isTreeGone) => {
        clearTimeout(timer);
        if (isTreeGone) reaper.remove(tree.child.pid!);
        else log.warn({ build: recording.id }, 'processes that a build has started cannot be ended');
        return this.#isLate ? recording.end(tooLate(timeoutMs)) : recording.end(endOfBuild(this.#process, end));
      },
    });
    this.#process.input.end();
    this.ended = this.#process.ended;
  }

  /** Ends it because a client wants that: it counts as cancelled. Resolves with whether nothing is left, when its end is kept. */
  cancel(): Promise<boolean> {
    return this.#process.stop();
  }

  /** Ends it with the gateway: it counts as cancelled. */
  async stop(): Promise<void> {
    await this.#process.leave();
    await Promise.race([this.ended, delay(LAST_OUTPUT_MS, undefined, { ref: false })]);
    await this.#recording.end({
      status: 'cancelled',
      note: 'the build was cancelled, because the gateway ended or got another config',
    });
  }

  /** One that has ended by itself, or that is already being ended, is not late: only the last of its output is missing. */
  #onLate(): void {
    const wasToldBefore = this.#process.wasToldToEnd;
    void this.#process.stop();
    this.#isLate = !wasToldBefore && this.#process.wasToldToEnd;
  }
}

function tooLate(timeoutMs: number) {
  return { status: 'failed', note: `the build was ended after its time limit of ${timeoutMs} ms (timeoutMs)` } as const;
}
