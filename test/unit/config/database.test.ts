// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the references of a config
import { expect, test } from 'vitest';
import { errorOf, issuesOf, literalsOf, parse } from './parse-text.ts';

test('without the key there is no database to connect to', () => {
  expect(parse('schemaVersion: 1').database).toBeUndefined();
});

test.each([
  'postgres://me@localhost/viaduct',
  'postgresql:///viaduct?host=/run/postgresql',
  'postgres://me@/v?host=/run',
  'postgres://me:100%@db/v',
])('%s is taken', (url) => {
  expect(parse(`{ schemaVersion: 1, database: "${url}" }`).database).toBe(url);
});

test('a password comes from the environment, and it and the url are secrets', () => {
  const { database, secrets } = parse('{ schemaVersion: 1, database: "postgres://me:${TOKEN}@db/viaduct" }');
  expect(database).toBe('postgres://me:tok-123456@db/viaduct');
  expect(secrets).toEqual(['postgres://me:tok-123456@db/viaduct', 'tok-123456']);
});

test('a password is a secret as it is written and as it is meant', () => {
  const { secrets } = parse('{ schemaVersion: 1, database: "postgres://me:pass%40word@db/viaduct" }');
  expect(secrets).toEqual(['postgres://me:pass%40word@db/viaduct', 'pass%40word', 'pass@word']);
});

test.each(['sqlite:///tmp/x.db', 'mysql://db/x', 'viaduct.db', ''])('"%s" is refused', (url) => {
  expect(issuesOf(`schemaVersion: 1\ndatabase: "${url}"`)).toEqual([
    '2:11 database: must be a url that begins with postgres:// -> leave it out for SQLite in $VIADUCT_HOME',
  ]);
});

test('a url that cannot be read is refused, and its password is not shown', () => {
  const text = 'schemaVersion: 1\ndatabase: postgres://me:hunter22@db:port/x';
  expect(issuesOf(text)).toEqual([
    expect.stringMatching(/^2:11 database: is not a url of a PostgreSQL database -> write/),
  ]);
  expect(errorOf(text).format('viaduct.yaml')).not.toContain('hunter22');
});

test('a variable that is not set is an error at its place', () => {
  expect(issuesOf('schemaVersion: 1\ndatabase: postgres://${NOPE}@db/x')[0]).toContain(
    '2:11 database: the variable NOPE is not set',
  );
});

test('an error never shows the password', () => {
  const text = 'schemaVersion: 1\ndatabase: mysql://me:hunter22@db/x';
  expect(errorOf(text).format('viaduct.yaml')).not.toContain('hunter22');
});

test.each([
  ['postgres://me:hunter22@db/x', ['database']],
  ['postgres://me:${TOKEN}@db/x', []],
  ['postgres://me@db/x', []],
  ['postgres:///x?password=hunter22', ['database']],
  ['${DATABASE_URL}', []],
])('whether %s has a password in it', (url, found) => {
  expect(literalsOf(`schemaVersion: 1\ndatabase: ${url}`)).toEqual(found);
});
