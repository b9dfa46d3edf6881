import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BenchClient, HttpClient, ModernHttpClient, StdioClient } from './clients.ts';

export const GATEWAY = path.resolve('dist/main.js');
const UPSTREAM = path.resolve('dist-fixtures/bench.js');
const SDK_SERVER = path.resolve('dist-fixtures/sdk-http.js');

/** Prefix of the bench upstream's tools behind the gateway; a direct connection has none. */
export const PREFIX = 'up_';

export interface Target {
  readonly name: string;
  /** The divisor of the target's figures. */
  readonly baseline: string;
  readonly prefix: string;
  /** A connection that has listed the tools once. `tools` is how many the upstream has. */
  connect(tools: number, upstreams?: number): Promise<BenchClient>;
  /** Called before each start that is measured. */
  prepare?(): Promise<void>;
  /** Called after the last one. */
  end?(): void;
}

const workFolder = mkdtempSync(path.join(tmpdir(), 'viaduct-bench-'));
process.on('exit', () => rmSync(workFolder, { recursive: true, force: true }));
let configs = 0;

/** Writes a config with upstreams of so many tools and returns its path. */
export function writeConfig(tools: number, upstreams: number, more: object = {}): string {
  const entry = { command: process.execPath, args: [UPSTREAM, `--tools=${tools}`] };
  const entries = Array.from({ length: upstreams }, (_, index) => [index === 0 ? 'up' : `up${index}`, entry]);
  const file = path.join(workFolder, `config-${configs++}.yaml`);
  writeFileSync(
    file,
    JSON.stringify({ schemaVersion: 1, log: { level: 'error' }, upstreams: Object.fromEntries(entries), ...more }),
  );
  return file;
}

/** A home without any cache: what is measured is a first start. */
export function newHome(): NodeJS.ProcessEnv {
  return { ...process.env, VIADUCT_HOME: path.join(workFolder, `home-${configs}`), VIADUCT_GATEWAY: 'private' };
}

async function untilListed(client: BenchClient, prefix: string): Promise<void> {
  while (!(await client.request('tools/list', '{}')).includes(`"${prefix}echo"`));
}

const stdio = (args: readonly string[], counts: boolean, prefix: string) => openStdio(args, newHome(), counts, prefix);

/** Starts a program of Node.js, and lists its tools once all are there. */
export async function openStdio(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  counts: boolean,
  prefix: string,
): Promise<StdioClient> {
  const client = new StdioClient(process.execPath, args, env, counts);
  await client.initialize();
  await untilListed(client, prefix);
  return client;
}

async function http(args: readonly string[], counts: boolean, prefix: string): Promise<HttpClient> {
  const { url, pids, stop } = await serve(args, counts);
  const client = new HttpClient(url, pids, stop);
  await client.initialize();
  await untilListed(client, prefix);
  return client;
}

async function modernHttp(args: readonly string[], prefix: string): Promise<ModernHttpClient> {
  const { url, pids, stop } = await serve(args, true);
  const client = new ModernHttpClient(url, pids, stop);
  await untilListed(client, prefix);
  return client;
}

async function serve(args: readonly string[], counts: boolean) {
  const child = spawn(process.execPath, [...args], { stdio: ['pipe', 'pipe', 'ignore'], env: newHome() });
  const url = await new Promise<string>((resolve) => {
    child.stdout!.on('data', (chunk: Buffer) => {
      const match = /listening on\s+(\S+)/.exec(chunk.toString());
      if (match !== null) resolve(match[1]!);
    });
  });
  const stop = async () => {
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.stdin!.end();
    child.kill('SIGTERM');
    await exited;
  };
  return { url, pids: counts ? [child.pid!] : [], stop };
}

/** The three ways into a gateway whose program is the file `main`. Figures are divided by those of the target that `baselineOf` names. */
function gatewayTargets(main: string, name: string, baselineOf: (way: string) => string): Target[] {
  const serveWords = (tools: number, upstreams: number) => [
    main,
    'serve',
    '--port',
    '0',
    '--config',
    writeConfig(tools, upstreams),
  ];
  const ways: Record<string, Target['connect']> = {
    stdio: (tools, upstreams = 3) => stdio([main, 'stdio', '--config', writeConfig(tools, upstreams)], true, PREFIX),
    HTTP: (tools, upstreams = 3) => http(serveWords(tools, upstreams), true, PREFIX),
    'modern HTTP': (tools, upstreams = 3) => modernHttp(serveWords(tools, upstreams), PREFIX),
  };
  return Object.entries(ways).map(([way, connect]) => ({
    name: `${name} ${way}`,
    baseline: baselineOf(way),
    prefix: PREFIX,
    connect,
  }));
}

const [STDIO, HTTP, MODERN_HTTP] = gatewayTargets(
  GATEWAY,
  'gateway',
  (way) => `direct ${way.replace('modern ', '')}`,
) as [Target, Target, Target];

export const TARGETS: readonly Target[] = [
  {
    name: 'direct stdio',
    baseline: 'direct stdio',
    prefix: '',
    connect: (tools) => stdio([UPSTREAM, `--tools=${tools}`], false, ''),
  },
  STDIO,
  {
    name: 'direct HTTP',
    baseline: 'direct HTTP',
    prefix: '',
    connect: (tools) => http([UPSTREAM, '--http', `--tools=${tools}`], false, ''),
  },
  HTTP,
  MODERN_HTTP,
];

/** This build beside another one, whose program is the file `main`. */
export function buildTargets(main: string): Target[] {
  const other = gatewayTargets(path.resolve(main), 'other build', (way) => `other build ${way}`);
  const own = gatewayTargets(GATEWAY, 'this build', (way) => `other build ${way}`);
  return other.flatMap((target, index) => [target, own[index]!]);
}

/** A server that users of the official SDK write, with nothing behind it: only its calls are measured. */
export const SDK_TARGET: Target = {
  name: 'SDK server, modern HTTP',
  baseline: 'direct HTTP',
  prefix: '',
  connect: () => modernHttp([SDK_SERVER], ''),
};

function auditedTarget(name: string, audit: object): Target {
  return {
    name,
    baseline: 'direct stdio',
    prefix: PREFIX,
    connect: (tools, upstreams = 3) =>
      stdio([GATEWAY, 'stdio', '--config', writeConfig(tools, upstreams, { audit })], true, PREFIX),
  };
}

/** Measures the cost of the audit: with and without it, in turns. */
export const AUDIT_TARGETS: readonly Target[] = [
  TARGETS[0]!,
  auditedTarget('audit: off', { enabled: false }),
  auditedTarget('audit: digest', {}),
  auditedTarget('audit: redacted', { arguments: 'redacted' }),
];
