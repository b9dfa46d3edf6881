import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { linesOf, temporaryFolder } from './gateway.ts';
import { isAlive } from './processes.ts';
import { atEnd } from './shared.ts';

interface FakeContainer {
  readonly id: string;
  readonly name: string;
  readonly labels: readonly string[];
  readonly isExec: boolean;
  readonly engine?: number;
  readonly pid?: number;
}

/** A `docker` of a test's own: see fixtures/containers/docker.ts. Its containers end with the test. */
export class FakeDocker {
  readonly folder = temporaryFolder();
  /** The path of the program. */
  readonly program: string;
  /** The values that an entry of the config needs to find it. */
  readonly env: { readonly PATH: string };

  constructor() {
    const bin = path.join(this.folder, 'bin');
    mkdirSync(bin);
    this.program = path.join(bin, 'docker');
    const fixture = path.resolve('dist-fixtures/docker.js');
    writeFileSync(
      this.program,
      `#!/bin/sh\nFAKE_DOCKER='${this.folder}' exec '${process.execPath}' '${fixture}' "$@"\n`,
    );
    chmodSync(this.program, 0o755);
    this.env = { PATH: `${bin}${path.delimiter}${process.env.PATH}` };
    atEnd(() => this.#killAll());
  }

  /** Adds a program that runs the words which follow its own options, as `sudo` does. */
  addWrapper(name: string): string {
    const file = path.join(path.dirname(this.program), name);
    writeFileSync(file, '#!/bin/sh\nwhile [ "${1#-}" != "$1" ]; do shift; done\nexec "$@"\n');
    chmodSync(file, 0o755);
    return file;
  }

  /** Switches a fault of the fixture on. */
  misbehave(how: 'no-daemon' | 'late'): void {
    writeFileSync(path.join(this.folder, how), '');
  }

  /** Containers that are there, ended or not. */
  containers(): readonly FakeContainer[] {
    return this.#all().filter(({ isExec }) => !isExec);
  }

  /** Processes of containers that run, and of programs in them. */
  pids(): readonly number[] {
    return this.#all().flatMap(({ pid }) => (pid !== undefined && isAlive(pid) ? [pid] : []));
  }

  /** With `late`: the engine was asked for a container. */
  isAsked(): boolean {
    return existsSync(path.join(this.folder, 'asked'));
  }

  /** The command lines so far. */
  commands(): readonly string[][] {
    return linesOf(path.join(this.folder, 'log')).map((line) => JSON.parse(line) as string[]);
  }

  #all(): FakeContainer[] {
    if (!existsSync(this.folder)) return [];
    return readdirSync(this.folder)
      .filter((name) => /^[\da-f]{64}\.json$/.test(name))
      .flatMap((name) => {
        try {
          return [JSON.parse(readFileSync(path.join(this.folder, name), 'utf8')) as FakeContainer];
        } catch {
          return []; // removed meanwhile, or being written
        }
      });
  }

  #killAll(): void {
    for (const { pid, engine } of this.#all())
      for (const one of [pid, engine]) if (one !== undefined && isAlive(one)) process.kill(one, 'SIGKILL');
  }
}

/** The words by which `docker run` starts a fixture server as a container. */
export function image(name: string, ...args: readonly string[]): string[] {
  return [process.execPath, path.resolve('dist-fixtures', `${name}.js`), ...args];
}
