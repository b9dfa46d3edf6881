import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import postgres from 'postgres';
import { removeFolder } from '../folders.ts';
import { freePort } from '../free-port.ts';
import { endChild } from '../processes.ts';

/** Databases of people sort as their language does, those of a cluster made with `C` by bytes. From PostgreSQL 15 on. */
const IN_A_LANGUAGE = `template template0 locale_provider icu icu_locale 'en-US'`;
const DEBIAN = '/usr/lib/postgresql';

/** A PostgreSQL of our own, in a temporary folder. */
export interface TestPostgres {
  /** The url of a new, empty database. */
  newDatabase(): Promise<string>;
  readonly port: number;
  /** The folder of its socket. */
  readonly folder: string;
  /** Makes a user who needs a password, which no user of `newDatabase` does. */
  addUser(name: string, password: string): Promise<void>;
  stop(): Promise<void>;
}

/** The folder of PostgreSQL's programs; `undefined` if it is not installed. */
function programs(): string | undefined {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const candidates = [...versions.map((version) => path.join(DEBIAN, version, 'bin')), ...folders];
  return candidates.find((folder) => ['initdb', 'postgres'].every((name) => existsSync(path.join(folder, name))));
}

/** Starts one, or says on stderr why not and gives `undefined`. With `durable` it writes as it does for its users. */
export async function startPostgres({ durable = false } = {}): Promise<TestPostgres | undefined> {
  const folder = programs();
  const user = plainUser();
  if (folder === undefined || user === undefined) {
    const why = folder === undefined ? 'it is not installed (apt-get install postgresql)' : 'it refuses to run as root';
    process.stderr.write(`SKIPPED: what concerns PostgreSQL, as ${why}\n`);
    return undefined;
  }
  const data = mkdtempSync(path.join(tmpdir(), 'viaduct-postgres-'));
  if ('uid' in user) chownSync(data, user.uid, user.gid);
  const common = { ...user, cwd: data, env: { ...process.env, LC_ALL: 'C' } };
  const cluster = path.join(data, 'cluster');
  const initial = ['-D', cluster, '-U', 'viaduct', '--auth=trust', '--encoding=UTF8', '--no-sync'];
  execFileSync(path.join(folder, 'initdb'), initial, { ...common, stdio: 'ignore' });
  const rules = path.join(cluster, 'pg_hba.conf');
  writeFileSync(rules, `host all +guarded 127.0.0.1/32 scram-sha-256\n${readFileSync(rules, 'utf8')}`);
  const port = await freePort();
  const fast = durable ? [] : ['-c', 'fsync=off'];
  const words = ['-D', cluster, '-p', String(port), '-k', data, '-h', '127.0.0.1', ...fast];
  const server = spawn(path.join(folder, 'postgres'), words, { ...common, stdio: 'ignore' });
  const url = `postgres://viaduct@127.0.0.1:${port}`;
  const admin = postgres(`${url}/postgres`, { max: 1, onnotice: () => undefined });
  await answers(admin, server);
  await admin.unsafe('create role guarded');
  let count = 0;
  return {
    port,
    folder: data,
    addUser: async (name, password) => {
      const [user, secret] = [`"${name.replaceAll('"', '""')}"`, `'${password.replaceAll("'", "''")}'`];
      await admin.unsafe(`create role ${user} superuser login password ${secret} in role guarded`);
    },
    newDatabase: async () => {
      const name = `test_${++count}`;
      await admin
        .unsafe(`create database ${name} ${IN_A_LANGUAGE}`)
        .catch(() => admin.unsafe(`create database ${name}`));
      return `${url}/${name}`;
    },
    stop: async () => {
      await admin.end({ timeout: 0 });
      // A quick end, which does not wait for clients.
      await endChild(server, 'SIGINT');
      removeFolder(data);
    },
  };
}

/** PostgreSQL does not run as root: there is a user for it, where it is installed. */
function plainUser(): { uid: number; gid: number } | Record<string, never> | undefined {
  if (process.getuid?.() !== 0) return {};
  try {
    const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8', stdio: 'pipe' }));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return undefined;
  }
}

async function answers(admin: postgres.Sql, server: ChildProcess): Promise<void> {
  for (;;) {
    try {
      await admin`select 1`;
      return;
    } catch (error) {
      if (server.exitCode !== null) throw new Error('PostgreSQL did not start', { cause: error });
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
