import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { StdioClient } from '../clients.ts';

export const GATEWAY = path.resolve('dist/main.js');
const PROBE = fileURLToPath(new URL('loop-probe.mjs', import.meta.url));
export const BENCH_SERVER = path.resolve('dist-fixtures/bench.js');

/** Figures of a gateway since the last look. */
export interface LoopFigures {
  /** The longest time in which the event loop did nothing else, in milliseconds. */
  readonly stallMs: number;
  /** CPU time in milliseconds. */
  readonly cpuMs: number;
}

/** A gateway on standard input and output whose event loop is watched. */
export class ProbedGateway {
  readonly client: StdioClient;
  readonly folder: string;
  readonly config: string;
  #cpuMs = 0;

  private constructor(folder: string, config: string) {
    this.folder = folder;
    this.config = config;
    // In a process of its own: the probe would watch a client of the shared gateway.
    const env = { ...process.env, VIADUCT_HOME: path.join(folder, 'home'), VIADUCT_GATEWAY: 'private' };
    const args = ['--import', PROBE, GATEWAY, 'stdio', '--config', config];
    this.client = new StdioClient(process.execPath, args, env, true);
  }

  /** Starts one with a config, in `folder` or in a new one. */
  static async start(config: object, folder = newFolder()): Promise<ProbedGateway> {
    const file = path.join(folder, 'viaduct.yaml');
    writeConfig(file, config);
    const gateway = new ProbedGateway(folder, file);
    await gateway.client.initialize();
    return gateway;
  }

  /** Replaces the config's file; the gateway notices. */
  configure(config: object): void {
    writeConfig(this.config, config);
  }

  /** Resolves when the list has this text. */
  async untilListed(text: string): Promise<void> {
    while (!(await this.client.request('tools/list', '{}')).includes(text));
  }

  /** @throws Error if the call fails: the figures of a refusal would pass for those of the work */
  async call(name: string, args: object): Promise<void> {
    const answer = await this.client.request('tools/call', JSON.stringify({ name, arguments: args }));
    if (answer.includes('"isError":true') || !answer.includes('"result":'))
      throw new Error(`${name} has failed: ${answer.toString('utf8', 0, 500)}`);
  }

  /** Returns the figures since the last look. */
  look(): Promise<LoopFigures> {
    const channel = this.client.sideChannel;
    return new Promise((resolve) => {
      channel.once('data', (line: Buffer) => {
        const { stallMs, cpuMs } = JSON.parse(line.toString()) as LoopFigures;
        const figures = { stallMs, cpuMs: cpuMs - this.#cpuMs };
        this.#cpuMs = cpuMs;
        resolve(figures);
      });
      channel.write('?');
    });
  }

  /** Ends it, and leaves its folder to the others that use it. */
  end(): Promise<void> {
    return this.client.close();
  }

  async stop(): Promise<void> {
    await this.end();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The entry of a server of this bench. */
export function benchEntry(...flags: readonly string[]): object {
  return { command: process.execPath, args: [BENCH_SERVER, ...flags] };
}

export function newFolder(): string {
  return mkdtempSync(path.join(tmpdir(), 'viaduct-bench-'));
}

function writeConfig(file: string, config: object): void {
  writeFileSync(file, JSON.stringify({ schemaVersion: 1, log: { level: 'error' }, ...config }));
}
