/** Starts what a suite is pointed at. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Era } from './suites.ts';

const FIXTURE = path.resolve('dist-fixtures/conformance.js');
const GATEWAY = path.resolve('dist/main.js');

export interface Target {
  readonly url: string;
  stop(): Promise<void>;
}

/** The fixture server by itself, over HTTP. */
export function startFixture(era: Era): Promise<Target> {
  const child = start([FIXTURE, `--era=${era}`, '--http=0']);
  return whenReady(child, { url: /^(http\S+)$/m, ready: /^http/m, onStop: () => undefined });
}

/** The gateway, with the fixture server behind it over stdio. */
export function startGateway(upstreamEra: Era): Promise<Target> {
  const folder = mkdtempSync(path.join(tmpdir(), 'viaduct-conformance-'));
  const config = path.join(folder, 'viaduct.yaml');
  const fixture = {
    command: process.execPath,
    args: [FIXTURE, `--era=${upstreamEra}`],
    prefix: '',
    pins: 'off',
    era: upstreamEra === 'modern' ? '2026-07-28' : 'legacy',
  };
  writeFileSync(config, JSON.stringify({ schemaVersion: 1, upstreams: { fixture } }));
  const child = start([GATEWAY, 'serve', '--config', config, '--port', '0'], { VIADUCT_HOME: folder });
  return whenReady(child, {
    url: /listening on\s+(\S+)/,
    ready: /Stop with Ctrl-C/,
    onStop: () => rmSync(folder, { recursive: true, force: true }),
  });
}

function start(words: readonly string[], env: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, words, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
}

interface Readiness {
  readonly url: RegExp;
  readonly ready: RegExp;
  readonly onStop: () => void;
}

/** Resolves once the output says that clients can come. */
async function whenReady(child: ChildProcess, { url, ready, onStop }: Readiness): Promise<Target> {
  const exited = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
    onStop();
  };
  let output = '';
  let complaints = '';
  child.stderr!.on('data', (chunk) => {
    complaints += chunk;
  });
  const isReady = new Promise<void>((resolve) => {
    child.stdout!.on('data', (chunk) => {
      output += chunk;
      if (ready.test(output)) resolve();
    });
  });
  await Promise.race([isReady, exited]);
  const address = url.exec(output)?.[1];
  if (address === undefined || child.exitCode !== null) {
    onStop();
    throw new Error(`ended before it was ready: ${complaints.slice(-2000)}`);
  }
  return { url: address, stop };
}
