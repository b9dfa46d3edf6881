import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redact } from '../../../src/redaction/redact.ts';
import { redactionsIn } from '../../../src/redaction/redactions.ts';

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const ALNUM = `${LOWER}${LOWER.toUpperCase()}0123456789`;
const HEX = '0123456789abcdef';

/** Random, with at least the digits and capitals that such keys always have. */
function drawn(alphabet: string, length: number): fc.Arbitrary<string> {
  return fc
    .array(fc.constantFrom(...alphabet.split('')), { minLength: length, maxLength: length })
    .map((characters) => characters.join(''))
    .filter((text) => /\d.*\d.*\d/.test(text) && new Set(text).size >= 8);
}

/** Secrets that are known by their own form. Assembled here, so that no scanner takes this file for a leak. */
const tokens = fc.oneof(
  ...(
    [
      ['AKIA', `${LOWER.toUpperCase()}0123456789`, 16],
      ['ghp_', ALNUM, 36],
      ['github_pat_', ALNUM, 60],
      ['glpat-', ALNUM, 20],
      ['xoxb-', ALNUM, 30],
      ['sk_live_', ALNUM, 24],
      ['sk-ant-api03-', ALNUM, 60],
      ['sk-proj-', ALNUM, 48],
      ['sk-', ALNUM, 48],
      ['AIza', ALNUM, 35],
      ['npm_', ALNUM, 36],
      ['hf_', ALNUM, 34],
      ['dop_v1_', HEX, 64],
      ['SK', HEX, 32],
    ] as const
  ).map(([prefix, alphabet, length]) => drawn(alphabet, length).map((body) => `${prefix}${body}`)),
  fc.tuple(drawn(ALNUM, 24), drawn(ALNUM, 40), drawn(ALNUM, 43)).map(([a, b, c]) => `eyJ${a}.eyJ${b}.${c}`),
);

const privateKeys = fc
  .tuple(
    fc.constantFrom('RSA ', 'EC ', 'OPENSSH ', 'ENCRYPTED ', ''),
    fc.array(drawn(ALNUM, 64), { minLength: 2, maxLength: 6 }),
  )
  .map(([type, lines]) => `-----BEGIN ${type}PRIVATE KEY-----\n${lines.join('\n')}\n-----END ${type}PRIVATE KEY-----`);

const secretNames = fc.constantFrom(
  'API_KEY',
  'apiKey',
  'client_secret',
  'DB_PASSWORD',
  'accessToken',
  'private-key',
  'x-api-key',
);
/** As random as a generator of secrets makes them: fast-check itself likes repetitions. */
const values = fc
  .integer()
  .map((number) =>
    createHash('sha256')
      .update(String(number))
      .digest('base64')
      .replaceAll(/[^A-Za-z0-9]/g, ''),
  )
  .map((text) => text.slice(0, 24))
  .filter((text) => /\d.*\d.*\d/.test(text) && (text.match(/[a-z]+|[A-Z]+|\d+/g)?.length ?? 0) >= 9);

/** A secret and a text that has it in it. */
const planted: fc.Arbitrary<{ readonly secret: string; readonly text: string }> = fc.oneof(
  fc
    .tuple(tokens, fc.constantFrom(' ', '\n', '"', '(', '`', '> ', 'key is '))
    .map(([secret, before]) => ({ secret, text: `${before}${secret} ` })),
  privateKeys.map((secret) => ({ secret, text: `the key:\n${secret}\nand more` })),
  privateKeys.map((secret) => ({ secret: secret.split('\n')[1]!, text: JSON.stringify({ pem: secret }) })),
  privateKeys.map((secret) => ({ secret: secret.split('\n')[1]!, text: secret.split('\n').slice(0, -1).join('\n') })),
  fc
    .tuple(
      secretNames,
      values,
      fc.constantFrom('=', ' = ', ': ', ':', ' := ', ' => '),
      fc.constantFrom('"', "'", '`', ''),
    )
    .map(([name, secret, sign, quote]) => ({ secret, text: `before ${name}${sign}${quote}${secret}${quote}, after` })),
  fc
    .tuple(secretNames, values)
    .map(([name, secret]) => ({ secret, text: JSON.stringify({ nested: { [name]: secret } }) })),
  fc
    .tuple(secretNames, values)
    .map(([name, secret]) => ({ secret, text: JSON.stringify(JSON.stringify({ [name]: secret })) })),
  fc
    .tuple(secretNames, values)
    .map(([name, secret]) => ({ secret, text: `const ${name.replaceAll('-', '_')}: string = "${secret}";` })),
  fc
    .tuple(fc.constantFrom('SESSION', 'salt', 'someSetting'), values)
    .map(([name, secret]) => ({ secret, text: `${name} = "${secret}"` })),
  values.map((secret) => ({ secret, text: `postgres://app:${secret}@db.example.com:5432/app?ssl=1` })),
  values.map((secret) => ({ secret, text: `curl -H 'Authorization: Bearer ${secret}' https://example.com` })),
  values.map((secret) => ({ secret, text: `https://example.com/x?token=${secret}&page=2` })),
  values.map((secret) => ({ secret, text: `+PORT=3000\n+STRIPE=${secret}\n+NODE_ENV=production` })),
  fc
    .constantFrom('hunter2!', 'pa;ss,w"rd', "it's#1", '{curly}')
    .map((secret) => ({ secret, text: `A=1\nDB_PASSWORD=${secret}\n` })),
  fc.constantFrom('letmeinplease', 'hunter2', 'pa ss 1').map((secret) => ({ secret, text: `password: "${secret}"` })),
);

describe('redaction', () => {
  test('leaves no planted secret anywhere in a value', () => {
    fc.assert(
      fc.property(planted, fc.lorem(), fc.lorem(), ({ secret, text }, before, after) => {
        const around = `${before}\n${text}\n${after}`;
        const { value, places } = redact({ todos: [{ id: 't1', text: around }], list: [{ deep: [around] }] });
        expect(JSON.stringify(value)).not.toContain(JSON.stringify(secret).slice(1, -1));
        expect(value.todos[0]!.text.startsWith(before)).toBe(true);
        expect(value.todos[0]!.text.endsWith(after)).toBe(true);
        expect(places.map(({ path }) => path)).toEqual(expect.arrayContaining(['todos[t1].text', 'list[0].deep[0]']));
      }),
      { numRuns: 2_000 },
    );
  });

  test('leaves no secret under the name of one', () => {
    fc.assert(
      fc.property(secretNames, values, (name, secret) => {
        const { value, places } = redact({ metadata: { env: { [name]: secret, others: [{ [name]: [secret] }] } } });
        expect(JSON.stringify(value)).not.toContain(secret);
        expect(places[0]).toMatchObject({ path: `metadata.env.${name}` });
      }),
    );
  });

  test('changes nothing more when it is done again', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            planted.map(({ text }) => text),
            fc.string(),
            fc.lorem(),
          ),
          { maxLength: 4 },
        ),
        (texts) => {
          const once = redact({ text: texts.join('\n') }).value;
          expect(redact(once)).toEqual({ value: once, places: [] });
        },
      ),
      { numRuns: 500 },
    );
  });

  test('names places that can still be found in the value', () => {
    const { value, places } = redact({ decisions: [{ id: 'd7', text: `use ghp_${'a1B2'.repeat(9)}` }] });
    expect(places).toEqual([{ path: 'decisions[d7].text', kind: 'github-token' }]);
    expect(value.decisions[0]!.text).toBe('use [redacted:github-token]');
    expect(redactionsIn(value)).toEqual(places);
  });

  test('takes of a .env block only what its name or its form makes a secret', () => {
    const key = 'k9QzR3vLx8TfW2mYb7NcJ5dH';
    const text = `NODE_ENV=production\nIMAGE=ghcr.io/acme/app:1.2\nSTRIPE=${key}\nLANG=en_US.UTF-8\nURL=http://localhost:3000/`;
    expect(redact(text).value).toBe(text.replace(key, '[redacted:high-entropy]'));
  });

  test('keeps members apart whose names are secrets', () => {
    const [one, two] = ['a1B2', 'c3D4'].map((part) => `${'gh'}p_${part.repeat(9)}`);
    const { value } = redact({ [one!]: 1, [two!]: 2, [`${one} ${two}`]: 3 });
    expect(value).toEqual({
      '[redacted:github-token]': 1,
      '[redacted:github-token] (2)': 2,
      '[redacted:github-token] [redacted:github-token]': 3,
    });
    expect(redact(value)).toEqual({ value, places: [] });
  });

  test('gives a member with a redacted name no name that another has', () => {
    const token = `${'gh'}p_${'a1B2'.repeat(9)}`;
    const members = { [token]: 1, '[redacted:github-token]': 2, '[redacted:github-token] (2)': 3 };
    expect(new Set(Object.values(redact(members).value))).toEqual(new Set([1, 2, 3]));
  });
});

describe('redaction leaves alone', () => {
  test.each([
    'Use JWT: the token is short-lived, and the secret is kept in the vault.',
    'Reject bcrypt in favor of argon2id; password: argon2id, token: RS256.',
    'Reset the password. Password: required, at least 12 characters.',
    'head 9fceb02d0ae598e95dc970b74767f19372d61af8 on main, fixed in abc1234',
    'HEAD=9fceb02d0ae598e95dc970b74767f19372d61af8',
    'sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    '"integrity": "sha512-KHqDKzb0SFLIz3jp8Fy5Vq1rG0MbVrLDM8Bg8+8wvVL0qzFAxnq9PkNWeWzBzbbYkwq0z0rNmXlXGf5c0gYVhA=="',
    'id = "123e4567-e89b-12d3-a456-426614174000"',
    'const token = await getToken(request);',
    'token: string; password?: string;',
    'const apiKey = process.env.OPENAI_API_KEY ?? config.apiKey;',
    'export API_KEY=${API_KEY}\nexport OTHER=$OTHER',
    'postgres://user:${PGPASSWORD}@localhost/db',
    'max_tokens: 4096, token_count=123456, tokens: 1234567',
    'password: <your password>, secret: "changeme", token = "your-token-here"',
    'import { createUserSessionFromRefreshToken } from "./session/create-user-session-from-refresh-token.ts";',
    'if (password === confirmPassword) setError("passwords do not match");',
    'the risk-assessment and task-management-of-the-whole-organisation-2024',
    '-----BEGIN PRIVATE KEY----- is how such a file begins.',
    '"@acme/auth-token": "^6.0.0", "cookie": "~0.7.1"',
    "if (token === '--require') return; dsn: 'https://******@example.com/1', key: '[Redacted]'",
    'git@github.com:acme/billing.git and https://github.com/acme/billing.git',
    'skip-to-content, sk-learn, basic authentication, bearer authentication-and-authorization',
  ])('%s', (text) => {
    expect(redact(text)).toEqual({ value: text, places: [] });
  });

  test('the git state and the ids of a bundle', () => {
    const bundle = {
      bundle_id: 'e92c4497-c7d5-4cc4-99fc-3bad51a4d957',
      project: { root_path_fingerprint: 'a3f5c2e1b4d6978812345678abcdef0099887766554433221100ffeeddccbbaa' },
      git: {
        remote: 'git@github.com:a/b.git',
        head: '9fceb02d0ae598e95dc970b74767f19372d61af8',
        branch: 'feat/token-refresh-2',
      },
      metadata: { tokens: 12, token_type: 'bearer', passwordPolicy: 'at least 12 characters', key: 'ArrowDown1234567' },
    };
    expect(redact(bundle)).toEqual({ value: bundle, places: [] });
  });

  test.each([
    'README.md',
    'CHANGELOG.md',
    'docs/ARCHITECTURE.md',
    'docs/SECURITY.md',
    'docs/CONFIG.md',
    'docs/TOOLS.md',
    'src/core/errors.ts',
    'src/era/modern/envelope.ts',
  ])('%s', (path) => {
    const text = readFileSync(path, 'utf8');
    expect(redact(text)).toEqual({ value: text, places: [] });
  });
});

test('a long text that looks like the beginning of everything is read to its end', () => {
  for (const piece of [
    '-----BEGIN PRIVATE KEY-----',
    'a:"',
    "x='",
    'A=',
    'a.',
    'eyJaaaaaaaa.',
    'https://a:',
    'sk-',
    'token:\\"',
    'aaaaaaaa',
  ]) {
    const text = piece.repeat(Math.ceil(100_000 / piece.length));
    expect(redact(text).value.length).toBeGreaterThan(0);
  }
});

test.each([
  [{ PGPASSWORD: 'letmein' }, { PGPASSWORD: '[redacted:password]' }],
  [{ Authorization: 'Basic dXNlcjpwYXNzd29yZA==' }, { Authorization: '[redacted:authorization]' }],
  [{ Cookie: 'sid=abcdef123; theme=dark' }, { Cookie: '[redacted:cookie]' }],
  [{ cookie: 'theme=dark; sid=abcdef123' }, { cookie: '[redacted:cookie]' }],
  [
    { Authorization: 'Digest username="bob", realm="x", response="6629fae49393a053"' },
    { Authorization: '[redacted:authorization]' },
  ],
  [[{ name: 'X-Api-Key', value: 'q7ZrX9mK2pL5' }], [{ name: 'X-Api-Key', value: '[redacted:secret]' }]],
  [
    { key: 'DB_PASSWORD', value: 'hunter2' },
    { key: 'DB_PASSWORD', value: '[redacted:password]' },
  ],
  [
    ['--token', 'q7ZrX9mK2pL5', '--password=hunter2', '--name', 'bob'],
    ['--token', '[redacted:secret]', '--password=[redacted:password]', '--name', 'bob'],
  ],
] as const)('what goes to a program or a server is known by the name that stands beside it: %j', (given, expected) => {
  expect(redact(given).value).toEqual(expected);
  expect(redact(expected).value).toEqual(expected);
});

test.each([
  [{ Authorization: 'Bearer ${TOKEN}' }],
  [{ Cookie: 'the jar' }],
  [{ Cookie: 'sid=${SESSION}; theme=dark' }],
  [{ name: 'Token', value: 'see the docs' }],
  [['--token-file', 'secrets.txt', '--verbose', 'q7ZrX9mK2pL5']],
  ['run it with my-password-file=notes.txt'],
])('and where it says nothing of a secret, it stays: %j', (given) => {
  expect(redact(given).value).toEqual(given);
});
