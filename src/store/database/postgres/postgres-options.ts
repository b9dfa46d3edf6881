import path from 'node:path';
import type { Options } from 'postgres';
import { type PostgresHost, parsePostgresUrl } from '../../../core/addresses/postgres-url.ts';
import { GatewayError } from '../../../core/errors.ts';

const PORT = 5432;
/** Parameters of a url that the `postgres` package itself understands. All others go to the server. */
const OF_PACKAGE: ReadonlySet<string> = new Set([
  'backoff',
  'connect_timeout',
  'debug',
  'fetch_types',
  'idle_timeout',
  'keep_alive',
  'max',
  'max_lifetime',
  'max_pipeline',
  'prepare',
  'publications',
  'sslnegotiation',
  'target_session_attrs',
]);
const NUMERIC = /^\d+$/;

type PostgresOptions = Options<Record<string, never>>;

/**
 * Returns what the `postgres` package connects by, for a url in libpq's form. The package's own reading knows no folder of a
 * socket in the query, no IPv6 address and no `%` in a password that is not encoded.
 * @throws GatewayError if the url is none
 */
export function postgresOptions(url: string): PostgresOptions {
  const parsed = parsePostgresUrl(url);
  if (parsed === undefined) throw new GatewayError('STORE_UNAVAILABLE', NO_URL, { effect: 'none' });
  const { user, password, database, hosts, parameters } = parsed;
  const { ssl, sslmode = ssl, sslrootcert, application_name = 'viaduct', ...others } = Object.fromEntries(parameters);
  const entries = Object.entries(others);
  const options = {
    ...placeOf(hosts),
    ...(user !== undefined && { user }),
    ...(password !== undefined && { pass: password }),
    ...(database !== undefined && { database }),
    ...(sslmode !== undefined && { ssl: typed(sslmode) }),
    ...(sslrootcert === 'system' && { ssl: 'verify-full' }),
    ...Object.fromEntries(
      entries.filter(([name]) => OF_PACKAGE.has(name)).map(([name, value]) => [name, typed(value)]),
    ),
    connection: { application_name, ...Object.fromEntries(entries.filter(([name]) => !OF_PACKAGE.has(name))) },
  };
  return { ...options, ...socketOptions(hosts) } as PostgresOptions;
}

const NO_URL =
  'The url of the database in the config cannot be read: write postgres://USER:PASSWORD@HOST:PORT/DATABASE';

function placeOf(hosts: readonly PostgresHost[]) {
  if (hosts.length === 0) return {};
  return { host: hosts.map(({ host }) => host || 'localhost'), port: hosts.map(portOf) };
}

/** A host that is a folder has a socket in it, which has no TLS. */
function socketOptions([first]: readonly PostgresHost[]) {
  if (first === undefined || !path.isAbsolute(first.host)) return {};
  return { path: path.join(first.host, `.s.PGSQL.${portOf(first)}`), ssl: false };
}

const portOf = ({ port }: PostgresHost): number => port ?? (Number(process.env.PGPORT) || PORT);

function typed(value: string): string | number | boolean {
  if (value === 'false' || value === 'disable') return false;
  return NUMERIC.test(value) ? Number(value) : value;
}
