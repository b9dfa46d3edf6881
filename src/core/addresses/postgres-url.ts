/** One server of a database url. */
export interface PostgresHost {
  /** A name, an IP address without brackets, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number | undefined;
}

/** The parts of a `postgres://` url, decoded. What the url leaves out, or leaves empty, is `undefined`. */
export interface PostgresUrl {
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** Empty where the url names none. */
  readonly hosts: readonly PostgresHost[];
  readonly database: string | undefined;
  /** The other parameters of the query, such as `sslmode`. */
  readonly parameters: ReadonlyMap<string, string>;
}

const URL_FORM = /^postgres(?:ql)?:\/\/([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/is;
const HOST_FORM = /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/;
const MAX_PORT = 65_535;
/** Parameters that stand for parts of the url, and count before them. */
const PARTS: ReadonlySet<string> = new Set(['host', 'port', 'user', 'password', 'dbname']);

/**
 * Parses the url of a PostgreSQL database in the form of libpq (PostgreSQL documentation, 34.1.1.2 "Connection URIs"): the
 * host may be empty, a list, or a percent-encoded folder, and the query may name the host, port, user, password and database.
 * A `%` that begins no percent-encoded character stands for itself, and the last `@` before the path ends the password.
 * Returns `undefined` for any other text.
 */
export function parsePostgresUrl(text: string): PostgresUrl | undefined {
  const [whole, authority = '', path = '', query = ''] = URL_FORM.exec(text.trim()) ?? [];
  if (whole === undefined) return undefined;
  const at = authority.lastIndexOf('@');
  const given = parametersOf(query);
  const own = userOf(authority.slice(0, Math.max(at, 0)));
  const hosts = hostsOf(authority.slice(at + 1), given);
  if (hosts === undefined) return undefined;
  const url = {
    user: named(given.get('user')) ?? own.user,
    password: named(given.get('password')) ?? own.password,
    hosts,
    database: named(given.get('dbname')) ?? named(decoded(path)),
    parameters: new Map([...given].filter(([name]) => !PARTS.has(name))),
  };
  return hasNul(url) ? undefined : url;
}

/** Returns the password in the url of a database as it is written, and as it is meant. */
export function passwordsIn(text: string): readonly string[] {
  const password = parsePostgresUrl(text)?.password;
  if (password === undefined) return [];
  return [...new Set([...writtenPasswords(text), password])];
}

function writtenPasswords(text: string): string[] {
  const [, authority = '', , query = ''] = URL_FORM.exec(text.trim()) ?? [];
  const user = authority.slice(0, Math.max(authority.lastIndexOf('@'), 0));
  const inQuery = query.split('&').filter((pair) => pair.startsWith('password='));
  const written = [user.slice(user.indexOf(':') + 1), ...inQuery.map((pair) => pair.slice('password='.length))];
  return (user.includes(':') ? written : written.slice(1)).filter((password) => password !== '');
}

function userOf(text: string): { readonly user: string | undefined; readonly password: string | undefined } {
  const colon = text.indexOf(':');
  if (colon === -1) return { user: named(decoded(text)), password: undefined };
  return { user: named(decoded(text.slice(0, colon))), password: named(decoded(text.slice(colon + 1))) };
}

function parametersOf(query: string): Map<string, string> {
  const pairs = query.split('&').filter((pair) => pair !== '');
  return new Map(
    pairs.map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [decoded(name), decoded(value.join('='))];
    }),
  );
}

/** `undefined` if a port is none. */
function hostsOf(authority: string, parameters: ReadonlyMap<string, string>): PostgresHost[] | undefined {
  const inUrl = authority === '' ? [] : authority.split(',').map(hostOf);
  if (inUrl.includes(undefined)) return undefined;
  const named = parameters.get('host')?.split(',') ?? inUrl.map((one) => one!.host);
  const ports = parameters.get('port')?.split(',') ?? inUrl.map((one) => one!.port);
  if (ports.some((port) => !isPort(port)) || (ports.length > 1 && ports.length !== named.length)) return undefined;
  const numbers = ports.map((port) => (port === '' ? undefined : Number(port)));
  const hosts = named.map((host, index) => ({ host, port: numbers[numbers.length === 1 ? 0 : index] }));
  // An empty name stands for the default, which one entry can leave out.
  return hosts.length === 1 && hosts[0]!.host === '' && hosts[0]!.port === undefined ? [] : hosts;
}

function hostOf(text: string): { readonly host: string; readonly port: string } | undefined {
  const [whole, host = '', port = ''] = HOST_FORM.exec(text) ?? [];
  return whole === undefined ? undefined : { host: decoded(host.replace(/^\[(.*)\]$/, '$1')), port };
}

function isPort(port: string): boolean {
  return port === '' || (/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= MAX_PORT);
}

const named = (text: string | undefined): string | undefined => (text === '' ? undefined : text);

function decoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes);
    } catch {
      return bytes;
    }
  });
}

function hasNul({ user = '', password = '', database = '', hosts, parameters }: PostgresUrl): boolean {
  const texts = [user, password, database, ...hosts.map(({ host }) => host), ...[...parameters].flat()];
  return texts.some((text) => text.includes('\0'));
}
