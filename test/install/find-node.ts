import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { npm, RegistryUnreachable } from './npm.ts';

/** Versions of Node.js that are installed for the tests where the machine has none of that major version. */
const PINNED: Readonly<Record<number, string>> = { 20: '20.20.2', 24: '24.22.3' };
const CACHE = path.resolve('node_modules/.cache/viaduct-nodes');

/**
 * Returns the program of Node.js of a major version: the one that runs, what `VIADUCT_NODE<major>` names, `node<major>` in
 * PATH, or one that npm installs into a cache folder.
 * @throws RegistryUnreachable if npm would have to install it and cannot
 */
export async function findNode(major: number): Promise<string> {
  const candidates = [process.execPath, process.env[`VIADUCT_NODE${major}`], inPath(`node${major}`), cached(major)];
  const found = candidates.find((file) => file !== undefined && majorOf(file) === major);
  return found ?? install(major);
}

function majorOf(file: string): number | undefined {
  if (!existsSync(file)) return undefined;
  return Number.parseInt(execFileSync(file, ['-p', 'process.versions.node'], { encoding: 'utf8' }), 10);
}

function inPath(name: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  return folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file));
}

/** Packages of this name have the program of one platform, and no scripts. */
const packageName = () => `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

function cached(major: number): string {
  const program = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node';
  return path.join(CACHE, String(major), 'node_modules', packageName(), program);
}

async function install(major: number): Promise<string> {
  const words = ['install', '--ignore-scripts', '--no-save', '--prefix', path.join(CACHE, String(major))];
  try {
    await npm([...words, `${packageName()}@${PINNED[major]}`]);
  } catch (error) {
    if (!(error instanceof RegistryUnreachable)) throw error;
    throw new RegistryUnreachable(
      `there is no Node.js ${major}: let VIADUCT_NODE${major} name one, or run the tests where npm reaches its registry`,
      { cause: error },
    );
  }
  return cached(major);
}
