import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { secretInText, secretOfArgument, secretOfNamed } from '../../../../src/commands/server-lists/find-secrets.ts';
import { liftSecrets } from '../../../../src/commands/server-lists/lift-secrets.ts';

describe('a secret is found', () => {
  test.each([
    ['API_KEY', 'abc', 'abc'],
    ['GITHUB_PAT', 'x-1', 'x-1'],
    ['Authorization', 'Bearer abc-1', 'abc-1'],
    ['Authorization', 'abc-1', 'abc-1'],
    ['X-Api-Key', 'k', 'k'],
    ['DATABASE_URL', 'postgres://me:hunter2hunter@db/x', 'hunter2hunter'],
    ['DATABASE_URL', 'mongodb+srv://me:hunter2hunter@db/x', 'hunter2hunter'],
    ['NOTE', 'ghp_0123456789abcdefghijABCDEFGHIJ012345', 'ghp_0123456789abcdefghijABCDEFGHIJ012345'],
  ])('in the value of %s: %s', (name, value, secret) => {
    expect(secretOfNamed(name, value)?.secret).toBe(secret);
  });

  test.each([
    ['--api-key', 'abc-1', 'abc-1'],
    ['-e', 'API_TOKEN=abc-1', 'abc-1'],
    ['--header', 'Authorization: Bearer abc-1', 'abc-1'],
    [undefined, '--token=abc-1', 'abc-1'],
    [undefined, 'https://x.example.com/?a=b&api_key=abc-1&c=d', 'abc-1'],
    [undefined, 'https://hooks.example.com/s/Zx91kQ0aLw7Pq2Rt5Yb8/mcp', 'Zx91kQ0aLw7Pq2Rt5Yb8'],
  ])('in an argument after %s: %s', (previous, argument, secret) => {
    expect(secretOfArgument(argument, previous)?.secret).toBe(secret);
  });

  test('and nothing around it', () => {
    const { before, secret, after } = secretInText('https://x.example.com/?api_key=abc-1&c=d')!;
    expect(before + secret + after).toBe('https://x.example.com/?api_key=abc-1&c=d');
  });
});

test.each([
  ['LOG_LEVEL', 'verbose-debug'],
  ['TOKEN', '${TOKEN}'],
  ['Authorization', 'Bearer ${TOKEN}'],
  ['USE_AUTH', 'true'],
  ['TOKEN_URL', 'https://x.example.com/token'],
  ['API_KEY', ''],
])('%s: %s is none', (name, value) => {
  expect(secretOfNamed(name, value)).toBeUndefined();
});

test.each([
  ['--port', '8080'],
  ['--api-key', '--verbose'],
  ['-y', '@modelcontextprotocol/server-github'],
  [undefined, '/Users/me/work'],
])('the argument after %s, %s, is none', (previous, argument) => {
  expect(secretOfArgument(argument, previous)).toBeUndefined();
});

describe('variables in their place', () => {
  const lift = (parts: Partial<Parameters<typeof liftSecrets>[1]>) =>
    liftSecrets(
      'my-db',
      { args: [], env: {}, headers: {}, url: undefined, clientSecret: undefined, ...parts },
      (name) => `\${${name}}`,
    );

  test('are named after the entry and what they are for, one for each secret', () => {
    const { parts, secrets } = lift({
      env: { PASSWORD: 'one', MYDB_TOKEN: 'two', API_KEY: 'one' },
      headers: { Authorization: 'Bearer three' },
    });
    expect(parts.env).toEqual({
      PASSWORD: '${MY_DB_PASSWORD}',
      MYDB_TOKEN: '${MYDB_TOKEN}',
      API_KEY: '${MY_DB_PASSWORD}',
    });
    expect(parts.headers).toEqual({ Authorization: 'Bearer ${MY_DB_AUTHORIZATION}' });
    expect(secrets.map(({ place }) => place)).toEqual([
      'env.PASSWORD',
      'env.MYDB_TOKEN',
      'env.API_KEY',
      'headers.Authorization',
    ]);
  });

  test('all secrets of one url are taken out of it', () => {
    const { parts, secrets } = lift({
      url: 'https://me:hunter2hunter@x.example.com/s/Zx91kQ0aLw7Pq2Rt5Yb8/mcp?api_key=abc-1&c=d&token=abc-2',
      args: ['https://x.example.com/?token=abc-2&api_key=abc-1'],
    });
    expect(parts.url).toBe(
      'https://me:${MY_DB_SECRET}@x.example.com/s/${MY_DB_SECRET_2}/mcp?api_key=${MY_DB_API_KEY}&c=d&token=${MY_DB_TOKEN}',
    );
    expect(parts.args).toEqual(['https://x.example.com/?token=${MY_DB_TOKEN}&api_key=${MY_DB_API_KEY}']);
    expect(secrets.map(({ place }) => place)).toEqual(['args[0]', 'args[0]', 'url', 'url', 'url', 'url']);
  });

  test('two secrets with one name are two variables', () => {
    expect(lift({ args: ['--token', 'a-1', '--token', 'b-2'] }).parts.args).toEqual([
      '--token',
      '${MY_DB_TOKEN}',
      '--token',
      '${MY_DB_TOKEN_2}',
    ]);
  });

  test('mean what stood there', () => {
    const words = fc.stringMatching(/^[\w:/?&=. -]{0,30}$/);
    fc.assert(
      fc.property(fc.array(words), (args) => {
        const stood: string[] = [];
        const { parts } = lift({ args });
        for (const [index, arg] of parts.args.entries()) {
          const [before, after] = arg.split(/\$\{\w+\}/);
          if (after === undefined) expect(arg).toBe(args[index]);
          else stood.push(args[index]!.slice(before!.length, args[index]!.length - after.length));
        }
        expect(stood.every((secret) => secret !== '')).toBe(true);
      }),
    );
  });
});
