import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type RawClient, type SpawnedClient, spawnClient } from './clients/raw-client.ts';
import { removeFolder } from './folders.ts';
import { askHosted, openHostedServe, openHostedStdio } from './gateway-host.ts';
import { endChild } from './processes.ts';
import { type AtEnd, atEnd } from './shared.ts';

export const BIN = path.resolve('dist/main.js');

/** A fixture server as an entry of the config. */
export function fixture(name: string, ...args: string[]): { command: string; args: string[] } {
  return { command: process.execPath, args: [path.resolve('dist-fixtures', `${name}.js`), ...args] };
}

/** A folder that goes with the test, or when `whenDone` says. */
export function temporaryFolder(whenDone: AtEnd = atEnd): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'viaduct-test-'));
  whenDone(() => removeFolder(folder));
  return folder;
}

/** Section `lists` of a config: the first list waits for all upstreams, however slow the machine is. */
export const PATIENT_LISTS = { graceMs: 60_000 };

/** Writes a config (JSON is YAML) and gives its path. */
export function writeConfig(config: object, folder = temporaryFolder()): string {
  const file = path.join(folder, 'viaduct.yaml');
  writeFileSync(file, JSON.stringify({ schemaVersion: 1, log: { level: 'warn' }, ...config }));
  return file;
}

/**
 * A config of nothing but upstreams. The first list waits for all of them, however slow the machine is: a test about one
 * that says nothing writes its own.
 */
export function upstreams(entries: Record<string, object>): string {
  return writeConfig({ upstreams: entries, lists: PATIENT_LISTS });
}

/** Environment of a gateway with a home of its own. */
export function freshHome(extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  return { ...process.env, VIADUCT_HOME: temporaryFolder(), ...extra };
}

interface StdioOptions {
  /** More of the command line. */
  readonly words?: readonly string[];
  readonly atEnd?: AtEnd;
}

/** `viaduct stdio` with a client that has not said anything yet; both end with the test, or when `atEnd` says. */
export function startStdio(
  configPath: string,
  env: NodeJS.ProcessEnv = freshHome(),
  { words = [], atEnd: whenDone = atEnd }: StdioOptions = {},
): SpawnedClient {
  const spawned = spawnClient(process.execPath, [BIN, 'stdio', '--config', configPath, ...words], env);
  whenDone(() => endChild(spawned.child));
  return spawned;
}

/**
 * A client as `viaduct stdio` has one, that has not said anything yet. No process is begun for it: who wants to see how one
 * begins and ends takes `startStdio`.
 */
export function openStdio(config: string, env: NodeJS.ProcessEnv = freshHome(), profile?: string): Promise<RawClient> {
  return openHostedStdio({ config, env, ...(profile !== undefined && { profile }) });
}

/** Such a client after its handshake. */
export async function connectStdio(
  configPath: string,
  { env, capabilities }: { env?: NodeJS.ProcessEnv; capabilities?: unknown } = {},
): Promise<RawClient> {
  const client = await openStdio(configPath, env);
  await client.initialize(capabilities ?? {});
  return client;
}

export interface Serving {
  readonly url: string;
  readonly env: NodeJS.ProcessEnv;
}

/** What `viaduct serve` opens, on a free port, without a process of its own: see `startServe`. */
export async function openServe(
  config: string,
  env: NodeJS.ProcessEnv = freshHome(),
  whenDone: AtEnd = atEnd,
): Promise<Serving> {
  return { url: await openHostedServe({ config, env }, whenDone), env };
}

export interface ServeProcess extends Serving {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
}

/** `viaduct serve` on a free port; ends with the test, or when `atEnd` says. */
export async function startServe(
  configPath: string,
  env: NodeJS.ProcessEnv = freshHome(),
  whenDone: AtEnd = atEnd,
): Promise<ServeProcess> {
  const child = spawn(process.execPath, [BIN, 'serve', '--config', configPath, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  });
  whenDone(() => endChild(child));
  let stdout = '';
  let stderr = '';
  child.stderr!.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout!.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      const match = /listening on\s+(\S+)/.exec(stdout);
      if (match !== null) resolve(match[1]!);
    });
    child.once('exit', (code) => reject(new Error(`serve exited with ${code}: ${stderr}`)));
  });
  return { url, child, env, stdout: () => stdout, stderr: () => stderr };
}

/** What `viaduct status --json` prints, and not how: once each upstream has had the time to be listed. */
export async function statusOf(config: string, env: NodeJS.ProcessEnv = freshHome()): Promise<any> {
  const [, status] = await askHosted({ config, env }, [
    ['viaduct/tools', {}],
    ['viaduct/status', {}],
  ]);
  return status;
}

/** What `viaduct why --json` prints of these tools. */
export function explain(config: string, ...tools: readonly string[]): Promise<readonly any[]> {
  return explainIn(freshHome(), config, ...tools);
}

/** The same of the gateway that runs in this environment. */
export function explainIn(
  env: NodeJS.ProcessEnv,
  config: string,
  ...tools: readonly string[]
): Promise<readonly any[]> {
  return askHosted(
    { config, env },
    tools.map((tool) => ['viaduct/why', { tool }]),
  );
}

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `viaduct` with these words to its end. */
export async function viaduct(
  words: readonly string[],
  env: NodeJS.ProcessEnv = freshHome(),
  cwd?: string,
): Promise<CommandResult> {
  const child = spawn(process.execPath, [BIN, ...words], { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout!.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr!.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const [code] = (await once(child, 'close')) as [number];
  return { code, stdout, stderr };
}

/** Lines of a fixture's log file; none while it does not exist. */
export function linesOf(file: string): string[] {
  return existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : [];
}

/** Process ids that a fixture wrote as "pid N". */
export function pidsIn(file: string): number[] {
  return linesOf(file).flatMap((line) => (line.startsWith('pid ') ? [Number(line.slice(4))] : []));
}

/** A folder with an `xcrun` that stands in for Apple's: it finds and runs the fixture bridge. */
export function fakeXcode(...bridgeArgs: string[]): { path: string; log: string } {
  const folder = temporaryFolder();
  const log = path.join(folder, 'bridge.log');
  const bridge = path.resolve('dist-fixtures/xcode-bridge.js');
  const words = [`--log=${log}`, ...bridgeArgs].map((word) => `'${word}'`).join(' ');
  const script = `#!/bin/sh
if [ "$1" = --find ]; then echo '${folder}/mcpbridge'; exit 0; fi
exec '${process.execPath}' '${bridge}' ${words}
`;
  writeFileSync(path.join(folder, 'xcrun'), script);
  chmodSync(path.join(folder, 'xcrun'), 0o755);
  return { path: `${folder}:${process.env.PATH}`, log };
}
