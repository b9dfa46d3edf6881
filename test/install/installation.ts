import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type SpawnedClient, spawnClient } from '../support/clients/raw-client.ts';
import { endChild } from '../support/processes.ts';
import { type AtEnd, atEnd } from '../support/shared.ts';
import { findNode } from './find-node.ts';
import { npm } from './npm.ts';

/** Folder of an installation with links to Node.js and npm. */
const ONLY_NODE = 'only-node';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The packed package as users have it after `npm install --global --ignore-scripts`, on one version of Node.js. */
export class Installation {
  readonly node: string;
  /** Where the package lies. */
  readonly folder: string;
  readonly #prefix: string;

  private constructor(node: string, prefix: string) {
    this.node = node;
    this.#prefix = prefix;
    this.folder = path.join(prefix, 'lib/node_modules/mcp-viaduct');
  }

  /**
   * Packs the package that was built for the tests, and installs it into a folder of its own.
   * @throws RegistryUnreachable
   */
  static async make(major: number): Promise<Installation> {
    const node = await findNode(major);
    const prefix = mkdtempSync(path.join(tmpdir(), `viaduct-install-${major}-`));
    const tarball = await pack(prefix);
    await npm(['install', '--global', '--ignore-scripts', '--prefix', prefix, tarball], {
      cwd: prefix,
      env: { ...process.env, PATH: onlyNode(node, prefix) },
    });
    return new Installation(node, prefix);
  }

  get root(): string {
    return this.#prefix;
  }

  /** Returns an environment in which `viaduct` is the installed one, with a home that nothing else uses. */
  freshEnv(): NodeJS.ProcessEnv {
    const home = mkdtempSync(path.join(this.#prefix, 'home-'));
    // The program may have a name such as node20, under which the first line of `viaduct` does not find it.
    const folders = [path.join(this.#prefix, 'bin'), path.join(this.#prefix, ONLY_NODE), process.env.PATH];
    return { ...process.env, VIADUCT_HOME: home, VIADUCT_GATEWAY: 'private', PATH: folders.join(path.delimiter) };
  }

  run(words: readonly string[], env = this.freshEnv(), cwd = this.#prefix): Promise<Ran> {
    return new Promise((resolve) => {
      execFile('viaduct', [...words], { env, cwd }, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
      });
    });
  }

  /** Starts `viaduct stdio` with a client that has not said anything yet. */
  stdio(config: string, env = this.freshEnv(), whenDone: AtEnd = atEnd): SpawnedClient {
    const spawned = spawnClient('viaduct', ['stdio', '--config', config], env);
    whenDone(() => endChild(spawned.child));
    return spawned;
  }

  /** Starts `viaduct serve` on a free port, and returns its url. */
  async serve(config: string, env = this.freshEnv(), whenDone: AtEnd = atEnd): Promise<string> {
    const child = spawn('viaduct', ['serve', '--config', config, '--port', '0'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    whenDone(() => endChild(child));
    return urlOf(child);
  }
}

function urlOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout!.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const url = /listening on\s+(\S+)/.exec(text)?.[1];
      if (url !== undefined) resolve(url);
    });
    child.once('exit', (code) => reject(new Error(`viaduct serve ended with ${code}`)));
  });
}

/** Packs without the script that builds: other tests may be using dist/, and it has just been built for all of them. */
async function pack(folder: string): Promise<string> {
  const words = ['pack', '--silent', '--json', '--ignore-scripts', '--pack-destination', folder];
  const [{ filename }] = JSON.parse(await npm(words)) as [{ filename: string }];
  return path.join(folder, filename);
}

/** Returns a PATH with nothing but Node.js and npm: there is no compiler in it, no make and no Python. */
function onlyNode(node: string, prefix: string): string {
  const folder = path.join(prefix, ONLY_NODE);
  mkdirSync(folder);
  symlinkSync(node, path.join(folder, 'node'));
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const found = folders.map((one) => path.join(one, 'npm')).find((file) => existsSync(file));
  if (found === undefined) throw new Error('npm is not in PATH: install Node.js with npm');
  symlinkSync(realpathSync(found), path.join(folder, 'npm'));
  return folder;
}
