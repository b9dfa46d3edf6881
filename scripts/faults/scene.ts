import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { RawClient } from '../../test/support/clients/raw-client.ts';
import { isAlive } from '../../test/support/processes.ts';

const BIN = path.resolve('dist/main.js');
const FIXTURES = path.resolve('dist-fixtures');

/** Planted where secrets are, in every fault; after the run no log, status or file of the gateway may contain it. */
export const MARKER = 'vd5ecret-pL4nted+in/every=place&';

/** A config entry, as far as faults need one. */
export type Entry = Readonly<Record<string, unknown>>;

export interface Gateway {
  readonly child: ChildProcess;
  /** Its log so far. */
  stderr(): string;
}

export interface StdioGateway extends Gateway {
  readonly client: RawClient;
}

export interface HttpGateway extends Gateway {
  readonly url: string;
  stdout(): string;
}

/** The folder in which a gateway is started. */
interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string | undefined;
}

/**
 * The surroundings of one fault: a folder, a home for the gateway, and all processes that are started. Everything ends with
 * `close`; what the gateway wrote stays in the folder, to be searched for secrets.
 */
export class Scene {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'viaduct-fault-'));
  readonly home = path.join(this.folder, 'home');
  readonly #children: ChildProcess[] = [];
  readonly #cleanups: (() => unknown)[] = [];
  #gateways = 0;

  /** A fixture server as a config entry, with the marker in its environment. */
  fixture(name: string, args: readonly string[] = [], more: Entry = {}): Entry {
    return {
      command: process.execPath,
      args: [path.join(FIXTURES, `${name}.js`), ...args],
      env: { FAULT_TOKEN: MARKER },
      ...more,
    };
  }

  /** The hostile server in one of its modes; `--log` goes to `logFile(mode)`. */
  hostile(mode: string, args: readonly string[] = [], more: Entry = {}): Entry {
    return this.fixture('hostile', [`--mode=${mode}`, `--log=${this.logFile(mode)}`, ...args], more);
  }

  /** The file in which a hostile server notes what it saw. */
  logFile(mode: string): string {
    return path.join(this.folder, `${mode}.log`);
  }

  linesOf(file: string): string[] {
    if (!existsSync(file)) return [];
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  }

  /** Process ids that fixtures noted as "pid N" in these files. */
  pidsIn(...files: string[]): number[] {
    return files.flatMap((file) =>
      this.linesOf(file).flatMap((line) => (line.startsWith('pid ') ? [Number(line.slice(4))] : [])),
    );
  }

  /** Writes the config (JSON is YAML) and gives its path. */
  config(config: Entry): string {
    const file = path.join(this.folder, 'viaduct.yaml');
    writeFileSync(file, JSON.stringify({ schemaVersion: 1, log: { level: 'debug' }, ...config }));
    return file;
  }

  environment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
    mkdirSync(this.home, { recursive: true });
    return { ...process.env, VIADUCT_HOME: this.home, VIADUCT_GATEWAY: 'private', ...more };
  }

  /** `viaduct stdio` for these upstreams (or for a config that is there), with a client after its handshake. */
  async stdio(
    upstreams: Readonly<Record<string, Entry>> | string,
    { capabilities = {}, env = {} }: { capabilities?: unknown; env?: NodeJS.ProcessEnv } = {},
  ): Promise<StdioGateway> {
    const gateway = this.startStdio(upstreams, env);
    await gateway.client.initialize(capabilities);
    return gateway;
  }

  /** The same without a handshake. */
  startStdio(upstreams: Readonly<Record<string, Entry>> | string, env: NodeJS.ProcessEnv = {}): StdioGateway {
    const child = this.#start(['stdio', '--config', this.#configOf(upstreams)], 'pipe', { env });
    let client: RawClient | undefined;
    return {
      ...child,
      get client() {
        client ??= new RawClient(child.child.stdout!, child.child.stdin!);
        return client;
      },
    };
  }

  /** `viaduct serve` on a free port. */
  serve(upstreams: Readonly<Record<string, Entry>> | string, env: NodeJS.ProcessEnv = {}): Promise<HttpGateway> {
    return this.#serve(['--config', this.#configOf(upstreams)], { env });
  }

  /** The same with the config that it finds when it is started in a folder. */
  serveIn(cwd: string, env: NodeJS.ProcessEnv): Promise<HttpGateway> {
    return this.#serve([], { env, cwd });
  }

  async #serve(words: readonly string[], surroundings: Surroundings): Promise<HttpGateway> {
    const started = this.#start(['serve', '--port', '0', ...words], 'ignore', surroundings);
    let stdout = '';
    const url = await new Promise<string>((resolve, reject) => {
      started.child.stdout!.on('data', (chunk: Buffer) => {
        stdout += chunk.toString();
        appendFileSync(path.join(this.folder, 'commands.out'), chunk);
        const match = /listening on\s+(\S+)/.exec(stdout);
        if (match !== null) resolve(match[1]!);
      });
      started.child.once('exit', (code) => reject(new Error(`serve exited with ${code}: ${started.stderr()}`)));
    });
    return { ...started, url, stdout: () => stdout };
  }

  /**
   * Runs a command of the gateway to its end, in this folder or in `cwd`; what it prints is kept for the search for secrets.
   */
  async viaduct(
    words: readonly string[],
    env: NodeJS.ProcessEnv = {},
    cwd?: string,
  ): Promise<{ code: number; output: string }> {
    const started = this.#start(words, 'ignore', { env, cwd });
    let output = '';
    started.child.stdout!.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    const [code] = (await once(started.child, 'close')) as [number];
    appendFileSync(path.join(this.folder, 'commands.out'), output);
    return { code, output: output + started.stderr() };
  }

  /** Runs when the scene closes, last one first. */
  onClose(cleanup: () => unknown): void {
    this.#cleanups.push(cleanup);
  }

  /** Ends everything that was started, also what a gateway should have ended and has not. */
  async close(): Promise<void> {
    for (const cleanup of this.#cleanups.reverse()) await cleanup();
    await Promise.all(this.#children.map((child) => endProcess(child)));
    const logs = readdirSync(this.folder).filter((name) => name.endsWith('.log'));
    for (const pid of this.pidsIn(...logs.map((name) => path.join(this.folder, name)))) {
      if (isAlive(pid) && isOurs(pid)) process.kill(pid, 'SIGKILL');
    }
  }

  #configOf(upstreams: Readonly<Record<string, Entry>> | string): string {
    return typeof upstreams === 'string' ? upstreams : this.config({ upstreams });
  }

  #start(words: readonly string[], input: 'pipe' | 'ignore', { env, cwd }: Surroundings): Gateway {
    const child = spawn(process.execPath, [BIN, ...words], {
      env: this.environment(env),
      cwd,
      stdio: [input, 'pipe', 'pipe'],
    });
    this.#children.push(child);
    const logFile = path.join(this.folder, `gateway-${++this.#gateways}.log`);
    let stderr = '';
    child.stderr!.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
      appendFileSync(logFile, chunk);
    });
    return { child, stderr: () => stderr };
  }
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGCONT');
  child.kill('SIGTERM');
  const patience = delay(12_000, undefined, { ref: false }).then(() => child.kill('SIGKILL'));
  await Promise.race([exited, patience]);
}

/** The number may have been given to another process meanwhile. */
function isOurs(pid: number): boolean {
  const environ = `/proc/${pid}/environ`;
  return !existsSync(environ) || readFileSync(environ, 'latin1').includes(MARKER);
}

/** Resolves when `condition` holds; throws after `ms` with what was waited for. */
export async function until(what: string, condition: () => unknown, ms = 10_000): Promise<void> {
  const deadline = performance.now() + ms;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`not within ${ms} ms: ${what}`);
    await delay(20);
  }
}
