import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BenchClient, HttpClient, ModernHttpClient, StdioClient } from './clients.ts';

export const GATEWAY = path.resolve('dist/main.js');
const UPSTREAM = path.resolve('dist-fixtures/bench.js');
const RELAY = path.resolve('dist-fixtures/byte-relay.js');
const SDK_SERVER = path.resolve('dist-fixtures/sdk-http.js');

/** Prefix of the bench upstream's tools behind the gateway; a direct connection has none. */
export const PREFIX = 'up_';

export interface Target {
  readonly name: string;
  /** The divisor of the target's figures. */
  readonly baseline: string;
  /** The limit program that the target is compared with as well. */
  readonly limit?: string | undefined;
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
  return writeConfigOf(Array<object>(upstreams).fill(entry), more);
}

function writeConfigOf(upstreams: readonly object[], more: object = {}): string {
  const entries = upstreams.map((entry, index) => [index === 0 ? 'up' : `up${index}`, entry]);
  const file = path.join(workFolder, `config-${configs++}.yaml`);
  writeFileSync(
    file,
    JSON.stringify({ schemaVersion: 1, log: { level: 'error' }, upstreams: Object.fromEntries(entries), ...more }),
  );
  return file;
}

/** Returns the environment of a home without any cache, so that a first start is measured. */
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
function gatewayTargets(
  main: string,
  name: string,
  baselineOf: (way: string) => string,
  limitOf: (way: string) => string | undefined = () => undefined,
): Target[] {
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
    limit: limitOf(way),
    prefix: PREFIX,
    connect,
  }));
}

/** A client in front of a relay or a gateway that runs already: `command` connects its standard streams to it. */
async function attached(server: readonly string[], command: readonly string[], prefix: string): Promise<StdioClient> {
  const { pids, stop } = await serve(server, true);
  const client = await stdio(command, true, prefix);
  return Object.assign(client, {
    pids: [...client.pids, ...pids],
    close: async () => {
      await StdioClient.prototype.close.call(client);
      await stop();
    },
  });
}

const relayArgs = (tools: number, upstreams: number) => [RELAY, `--tools=${tools}`, `--upstreams=${upstreams}`];

/** The least that a gateway must do, in each way. */
const RELAYS: readonly Target[] = [
  {
    name: 'byte relay stdio',
    baseline: 'direct stdio',
    prefix: PREFIX,
    connect: (tools, upstreams = 3) => stdio(relayArgs(tools, upstreams), true, PREFIX),
  },
  {
    name: 'byte relay HTTP',
    baseline: 'direct HTTP',
    prefix: PREFIX,
    connect: (tools, upstreams = 3) => http([...relayArgs(tools, upstreams), '--http'], true, PREFIX),
  },
  {
    name: 'shim + byte relay',
    baseline: 'direct stdio',
    prefix: PREFIX,
    connect: (tools, upstreams = 3) => {
      const socket = path.join(workFolder, `relay-${configs++}.sock`);
      const server = [...relayArgs(tools, upstreams), `--socket=${socket}`];
      return attached(server, [RELAY, `--pipe=${socket}`], PREFIX);
    },
  },
];

/** `viaduct stdio` in front of a gateway that runs, as agents have it. */
const SHARED: Target = {
  name: 'gateway stdio, shared',
  baseline: 'direct stdio',
  limit: 'shim + byte relay',
  prefix: PREFIX,
  connect: (tools, upstreams = 3) => {
    const config = ['--config', writeConfig(tools, upstreams)];
    return attached([GATEWAY, 'serve', '--port', '0', ...config], [GATEWAY, 'stdio', ...config], PREFIX);
  },
};

/** A relay and a gateway over stdio in front of servers that answer over HTTP in this way. */
function httpUpstreamTargets(answers: 'JSON' | 'SSE'): Target[] {
  const over = answers === 'SSE' ? 'sse' : 'http';
  const limit = `byte relay, HTTP upstream (${answers})`;
  return [
    {
      name: limit,
      baseline: 'direct HTTP',
      prefix: PREFIX,
      connect: (tools, upstreams = 3) => stdio([...relayArgs(tools, upstreams), `--over=${over}`], true, PREFIX),
    },
    {
      name: `gateway, HTTP upstream (${answers})`,
      baseline: 'direct HTTP',
      limit,
      prefix: PREFIX,
      connect: (tools, upstreams = 3) => beforeHttp(tools, upstreams, answers === 'SSE' ? ['--sse'] : []),
    },
  ];
}

/** A gateway over stdio with servers that it reaches over HTTP. They end with it. */
async function beforeHttp(tools: number, upstreams: number, more: readonly string[]): Promise<StdioClient> {
  const args = [UPSTREAM, '--http', `--tools=${tools}`, ...more];
  const servers = await Promise.all(Array.from({ length: upstreams }, () => serve(args, false)));
  const config = writeConfigOf(servers.map(({ url }) => ({ url })));
  const client = await stdio([GATEWAY, 'stdio', '--config', config], true, PREFIX);
  return Object.assign(client, {
    close: async () => {
      await StdioClient.prototype.close.call(client);
      await Promise.all(servers.map(({ stop }) => stop()));
    },
  });
}

const [STDIO, HTTP, MODERN_HTTP] = gatewayTargets(
  GATEWAY,
  'gateway',
  (way) => `direct ${way.replace('modern ', '')}`,
  (way) => `byte relay ${way.replace('modern ', '')}`,
) as [Target, Target, Target];

export const TARGETS: readonly Target[] = [
  {
    name: 'direct stdio',
    baseline: 'direct stdio',
    prefix: '',
    connect: (tools) => stdio([UPSTREAM, `--tools=${tools}`], false, ''),
  },
  RELAYS[0]!,
  STDIO,
  RELAYS[2]!,
  SHARED,
  {
    name: 'direct HTTP',
    baseline: 'direct HTTP',
    prefix: '',
    connect: (tools) => http([UPSTREAM, '--http', `--tools=${tools}`], false, ''),
  },
  RELAYS[1]!,
  HTTP,
  MODERN_HTTP,
];

/** Calls of tools behind HTTP, each beside its limit program. */
export const HTTP_UPSTREAM_TARGETS: readonly Target[] = [
  TARGETS.find(({ name }) => name === 'direct HTTP')!,
  ...httpUpstreamTargets('JSON'),
  ...httpUpstreamTargets('SSE'),
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
