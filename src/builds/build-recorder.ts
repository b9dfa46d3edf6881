import { randomUUID } from 'node:crypto';
import { ownStamp, stampText } from '../core/processes/process-stamp.ts';
import { noteEnded, noteRunning } from '../core/processes/running-builds.ts';
import type { LiveFeed } from '../core/providers/live-feed.ts';
import type { BuildEnd, BuildStore } from '../core/stores/build-store.ts';
import { cutOutsideSecrets } from '../redaction/cut-outside-secrets.ts';
import { redact } from '../redaction/redact.ts';
import { thisMachine } from '../store/this-machine.ts';
import type { Log } from '../telemetry/log.ts';
import { commandText } from './command-text.ts';
import { maskOfSecrets } from './known-secrets.ts';
import type { LogBounds } from './log/bounded-log.ts';
import { buildFile, removeBuildFiles } from './log/build-files.ts';
import { Recording } from './recording.ts';

const MAX_NAME = 200;

export interface RecorderOptions {
  /** The folder of the gateway's own files. */
  readonly home: string;
  readonly store: BuildStore;
  readonly live: LiveFeed;
  readonly log: Log;
  /** Replaces the secrets of the config in a text. */
  readonly mask: (text: string) => string;
  /** Number of ended builds that are kept for this machine. */
  readonly keep: number;
  readonly bounds?: LogBounds | undefined;
}

/** A build that is about to start. */
export interface BuildFacts {
  readonly projectId: string | undefined;
  readonly repo: string;
  readonly branch: string;
  /** The program and its arguments. */
  readonly command: readonly string[];
  /** Variables that were added to its environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** Records builds: when they began, what they wrote, and how they ended. */
export class BuildRecorder {
  readonly #options: RecorderOptions;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  /**
   * Records that a build begins now. The caller must end the recording, even if the build cannot be started.
   * @throws GatewayError if the database cannot be used
   */
  async begin({ projectId, repo, branch, command, env }: BuildFacts): Promise<Recording> {
    const { store, home, bounds, mask: maskOfConfig } = this.#options;
    const id = randomUUID();
    const maskOfBuild = maskOfSecrets(env);
    const mask = (text: string) => maskOfConfig(maskOfBuild(text));
    const { id: machine, host } = thisMachine(home);
    const runner = stampText(ownStamp());
    const texts = { repo: named(repo), branch: named(branch), command: commandText(command, mask) };
    noteRunning(id);
    try {
      await store.start({ id, projectId, ...texts, runner, machine, host, startedMs: Date.now() });
    } catch (error) {
      noteEnded(id);
      throw error;
    }
    this.#tell(id, { status: 'running' });
    return new Recording({
      id,
      file: buildFile(home, id),
      mask,
      bounds,
      onText: (data) => this.#options.live.publish({ channel: channelOf(id), type: 'process_output', data }),
      onEnded: (end) => this.#onEnded(id, end),
    });
  }

  /** Forgets the oldest builds of this machine that have ended, beyond those that are kept. Never rejects. */
  async prune(): Promise<void> {
    const { store, home, keep, log } = this.#options;
    try {
      removeBuildFiles(home, await store.prune(thisMachine(home).id, keep));
    } catch (error) {
      log.warn({ event: 'builds-prune', err: error }, 'old builds cannot be removed');
    }
  }

  async #onEnded(id: string, end: BuildEnd): Promise<void> {
    const { store, log } = this.#options;
    if (end.logFault !== undefined)
      log.warn({ event: 'build-log', build: id, fault: end.logFault }, 'a log is incomplete');
    try {
      await store.end(id, end);
    } catch (error) {
      log.warn(
        { event: 'build-end', build: id, err: error },
        'how a build ended cannot be kept: it will count as lost',
      );
    }
    noteEnded(id);
    this.#tell(id, { status: end.status, ...(end.exitCode !== undefined && { exitCode: end.exitCode }) });
    await this.prune();
  }

  #tell(id: string, data: object): void {
    void this.#options.live.publish({ channel: channelOf(id), type: 'process_status', data });
  }
}

function channelOf(id: string): string {
  return `build:${id}`;
}

/** A repository may be named by its address, with a password in it. */
function named(text: string): string {
  return redact(cutOutsideSecrets(text, MAX_NAME)).value;
}
