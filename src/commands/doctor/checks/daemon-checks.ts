import { readdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { shellWord } from '../../../core/text/shell-word.ts';
import { connectToDaemon, type DaemonRecord } from '../../../gateway/serving/daemon-record.ts';
import { daemonPaths, realPath } from '../../../gateway/settings/paths.ts';
import { VERSION } from '../../../gateway/version.ts';
import type { Check } from './check.ts';

/** The gateways of this user, by the files that they left in `$VIADUCT_HOME/run`. */
export interface Gateways {
  /** The one that serves this config. */
  readonly own: DaemonRecord | undefined;
  /** Its shared gateways. */
  readonly shared: readonly DaemonRecord[];
  readonly others: readonly DaemonRecord[];
  /** Files left behind by gateways that no longer run. */
  readonly stale: readonly string[];
}

export async function findGateways(home: string, configPath: string | undefined): Promise<Gateways> {
  const folder = path.join(home, 'run');
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => name.endsWith('.json')).map((name) => path.join(folder, name));
  const found = await Promise.all(files.map(async (file) => ({ file, record: await recordOfRunning(file) })));
  const ownFile = configPath === undefined ? undefined : daemonPaths(home, configPath).record;
  return {
    own: found.find(({ file }) => file === ownFile)?.record,
    shared: found.flatMap(({ record }) => (isSharedOf(record, configPath) ? [record] : [])),
    others: found.flatMap(({ file, record }) => (record === undefined || file === ownFile ? [] : [record])),
    stale: found.filter(({ record }) => record === undefined).map(({ file }) => file),
  };
}

function isSharedOf(record: DaemonRecord | undefined, configPath: string | undefined): record is DaemonRecord {
  if (record?.shared === undefined || configPath === undefined) return false;
  return realPath(record.shared.configPath) === realPath(configPath);
}

async function recordOfRunning(record: string): Promise<DaemonRecord | undefined> {
  const running = await connectToDaemon({ record });
  running?.socket.destroy();
  return running?.record;
}

export function checkGateway({ own, shared, stale }: Gateways): Check[] {
  const name = 'gateway';
  const left = stale.map(
    (file): Check => ({
      name,
      mark: 'warn',
      text: `${file} was left behind by a gateway that was killed; it does no harm`,
      fix: `rm ${shellWord(file)}`,
    }),
  );
  if (own === undefined) return [...left, { name, mark: 'ok', text: withoutServe(shared) }];
  const places = own.tcp === undefined ? own.url : `${own.url} and ${own.tcp}`;
  const runs = `runs on ${places} (pid ${own.pid})`;
  if (own.version === VERSION) return [...left, { name, mark: 'ok', text: runs }];
  const text = `${runs} and is of version ${own.version}, this is ${VERSION}: viaduct stdio does not use it`;
  return [...left, { name, mark: 'warn', text, fix: `kill ${own.pid}, then: viaduct serve` }];
}

function withoutServe(shared: readonly DaemonRecord[]): string {
  if (shared.length === 0) return 'none runs for this config: each command starts its own';
  return `shared gateways of this config run (pid ${shared.map(({ pid }) => pid).join(', ')}); no viaduct serve does`;
}

/** Checks that `viaduct serve` can listen on the address of the config, or already does. */
export async function checkPort(host: string, port: number, { own, others }: Gateways): Promise<Check> {
  const name = 'port';
  if (port === 0) return { name, mark: 'ok', text: 'server.port is 0: a free port is used' };
  if (own !== undefined && portOf(own) === port) {
    return { name, mark: 'ok', text: `${port} is used by the gateway of this config (pid ${own.pid})` };
  }
  const problem = await listenFault(host, port);
  if (problem === undefined) return { name, mark: 'ok', text: `${host}:${port} is free` };
  const elsewhere = 'viaduct serve --port 0, or another server.port in the config';
  if (problem !== 'EADDRINUSE') {
    return { name, mark: 'fail', text: `${host}:${port} cannot be listened on (${problem})`, fix: elsewhere };
  }
  const other = others.find((record) => portOf(record) === port);
  if (other !== undefined) {
    const text = `${port} is used by your gateway for another config (pid ${other.pid})`;
    return { name, mark: 'fail', text, fix: `${elsewhere}; or end the other one: kill ${other.pid}` };
  }
  const text = `${port} is used by another program: viaduct serve cannot listen there`;
  return {
    name,
    mark: 'fail',
    text,
    fix: `${elsewhere}; find the program that uses it: lsof -nP -iTCP:${port} -sTCP:LISTEN`,
  };
}

function portOf({ url = '' }: DaemonRecord): number | undefined {
  return URL.canParse(url) ? Number(new URL(url).port) : undefined;
}

/** Returns the error code of an attempt to listen; `undefined` if it succeeds. */
export function listenFault(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port }, () => server.close(() => resolve(undefined)));
  });
}
