import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { residentMib } from '../process-figures.ts';
import { until } from '../scene.ts';
import { openFiles } from './processes.ts';

/** The objects of a process at one moment, after a full garbage collection. */
export interface Sample {
  readonly timers: number;
  readonly sockets: number;
  readonly promises: number;
  readonly processListeners: number;
  /** Listeners of sockets, servers and child processes. */
  readonly handleListeners: number;
  /** Kinds of what keeps the event loop busy, with their numbers. */
  readonly resources: Readonly<Record<string, number>>;
  readonly heapMiB: number;
  /** Something has put a property on `Object.prototype`. */
  readonly isPolluted: boolean;
  readonly rssMiB: number;
  readonly fds: number;
}

const SAMPLE_WITHIN_MS = 30_000;

/** Looks into a gateway that was started with `env`. */
export class Probe {
  readonly #file: string;

  constructor(folder: string) {
    this.#file = path.join(folder, 'probe.json');
  }

  get env(): NodeJS.ProcessEnv {
    const preload = pathToFileURL(path.resolve('scripts/faults/long/probe.mjs')).href;
    return { NODE_OPTIONS: `--import=${preload}`, VIADUCT_PROBE_FILE: this.#file };
  }

  /** True if a property was put on `Object.prototype` of a process that has ended. */
  pollutedAtExit(): boolean {
    return (JSON.parse(readFileSync(this.#file, 'utf8')) as Pick<Sample, 'isPolluted'>).isPolluted;
  }

  async sample(child: ChildProcess): Promise<Sample> {
    rmSync(this.#file, { force: true });
    child.kill('SIGUSR2');
    await until('a sample', () => existsSync(this.#file) || child.exitCode !== null, SAMPLE_WITHIN_MS);
    const inside = JSON.parse(readFileSync(this.#file, 'utf8')) as Omit<Sample, 'rssMiB' | 'fds'>;
    return { ...inside, rssMiB: residentMib(child.pid!), fds: openFiles(child.pid!) };
  }
}
