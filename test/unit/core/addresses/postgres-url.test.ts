import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parsePostgresUrl, passwordsIn } from '../../../../src/core/addresses/postgres-url.ts';

const NOTHING = { user: undefined, password: undefined, hosts: [], database: undefined, parameters: new Map() };
const at = (host: string, port?: number) => ({ host, port });

describe('a database url', () => {
  test.each([
    ['postgres://', {}],
    ['postgresql:///v', { database: 'v' }],
    ['postgres://me@/v', { user: 'me', database: 'v' }],
    ['postgres://db', { hosts: [at('db')] }],
    ['postgres://me:pw@db:5433/v', { user: 'me', password: 'pw', hosts: [at('db', 5433)], database: 'v' }],
    ['POSTGRES://db/V', { hosts: [at('db')], database: 'V' }],
    ['postgres:///v?host=/run/postgresql', { hosts: [at('/run/postgresql')], database: 'v' }],
    ['postgres://me@/v?host=/run&port=6000', { user: 'me', hosts: [at('/run', 6000)], database: 'v' }],
    ['postgres://%2Frun%2Fpostgresql/v', { hosts: [at('/run/postgresql')], database: 'v' }],
    ['postgres://[::1]:6000/v', { hosts: [at('::1', 6000)], database: 'v' }],
    ['postgres://a:1,b,c:3/v', { hosts: [at('a', 1), at('b'), at('c', 3)], database: 'v' }],
    ['postgres:///v?host=a,b&port=1', { hosts: [at('a', 1), at('b', 1)], database: 'v' }],
    ['postgres:///?user=me&password=a%26b&dbname=v', { user: 'me', password: 'a&b', database: 'v' }],
    ['postgres://me:pa%40ss%2Fword@db', { user: 'me', password: 'pa@ss/word', hosts: [at('db')] }],
    ['postgres://me:100%@db', { user: 'me', password: '100%', hosts: [at('db')] }],
    ['postgres://me:5%z%41z%ff@db', { user: 'me', password: '5%zAz%ff', hosts: [at('db')] }],
    ['postgres://me:p@ss:word@db', { user: 'me', password: 'p@ss:word', hosts: [at('db')] }],
    ['postgres://me:a#b@db', { user: 'me', password: 'a#b', hosts: [at('db')] }],
    ['postgres://%C3%BC@db/%C3%A4', { user: 'ü', hosts: [at('db')], database: 'ä' }],
    [
      'postgres://db/v?sslmode=require&options=-c%20x%3D1',
      {
        hosts: [at('db')],
        database: 'v',
        parameters: new Map([
          ['sslmode', 'require'],
          ['options', '-c x=1'],
        ]),
      },
    ],
  ])('%s has its parts', (text, parts) => {
    expect(parsePostgresUrl(text)).toEqual({ ...NOTHING, ...parts });
  });

  test.each([
    '',
    'mysql://db/v',
    'postgres:/v',
    'viaduct.db',
    'postgres://db:port/v',
    'postgres://db:0/v',
    'postgres://db:65536/v',
    'postgres://::1/v',
    'postgres:///v?host=a,b&port=1,2,3',
    'postgres://db/v%00',
  ])('%j is none', (text) => {
    expect(parsePostgresUrl(text)).toBeUndefined();
  });

  test('gives back every name and password that was percent-encoded into it', () => {
    const part = fc.string({ minLength: 1, unit: 'binary' }).filter((text) => !text.includes('\0'));
    fc.assert(
      fc.property(part, part, part, (user, password, database) => {
        const text = `postgres://${[user, password].map(encodeURIComponent).join(':')}@db/${encodeURIComponent(database)}`;
        expect(parsePostgresUrl(text)).toMatchObject({ user, password, database, hosts: [at('db')] });
        expect(passwordsIn(text)).toContain(password);
      }),
    );
  });
});

test.each([
  ['postgres://me:pa%40ss@db', ['pa%40ss', 'pa@ss']],
  ['postgres://me:100%@db', ['100%']],
  ['postgres://db/v?password=a%26b', ['a%26b', 'a&b']],
  ['postgres://me:one@db/v?password=two', ['one', 'two']],
  ['postgres://me@db', []],
  ['viaduct.db', []],
])('the passwords in %s are %j', (text, passwords) => {
  expect(passwordsIn(text)).toEqual(passwords);
});
