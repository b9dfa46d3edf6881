import { parsePostgresUrl } from './postgres-url.ts';

/** Names where a database is, without the user and the password. */
export function shownPlace(url: string): string {
  const parsed = parsePostgresUrl(url);
  if (parsed === undefined) return 'PostgreSQL';
  const { hosts, database } = parsed;
  const shown = hosts.map(
    ({ host, port }) => `${bracketed(host || 'localhost')}${port === undefined ? '' : `:${port}`}`,
  );
  return `PostgreSQL at ${shown.join(',') || 'the default host'}${database === undefined ? '' : `/${database}`}`;
}

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);
