// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the references of a config
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { ConfigError } from '../../../src/config/findings/config-error.ts';
import { parse } from './parse-text.ts';

/** Any text but for NUL; a reference is only a text when it is escaped. */
const text = fc.string({ unit: 'grapheme' }).map((value) => value.replaceAll('\0', '').replaceAll('${', '$${'));
const words = fc.array(
  text.filter((value) => value !== ''),
  { maxLength: 3 },
);
const whole = (min: number, max: number) => fc.integer({ min, max });
const scalar = fc.oneof(text, whole(-1e9, 1e9), fc.boolean());
const key = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/).filter((name) => !FORBIDDEN.includes(name));
const variable = fc
  .oneof(text, fc.stringMatching(/^[A-Z_]{1,20}$/))
  .filter((name) => name !== '' && !name.includes('=') && !FORBIDDEN.includes(name));

const FORBIDDEN = ['__proto__', 'constructor', 'prototype', '<<', 'xcode_tools'];

const optional = { requiredKeys: [] };

const entry = fc.record(
  {
    // With spaces it would be a command line, and quotes do not belong there.
    command: text.filter((value) => value !== '' && !/[\s"']/.test(value)),
    args: fc.array(scalar, { maxLength: 5 }),
    env: fc.dictionary(variable, scalar, { noNullPrototype: true, maxKeys: 5 }),
    cwd: text.filter((value) => value !== ''),
    inheritEnv: fc.boolean(),
    disabled: fc.boolean(),
    share: fc.constantFrom('gateway', 'session'),
    restart: fc.constantFrom('always', 'on-demand', 'never'),
    era: fc.constantFrom('auto', 'legacy', '2026-07-28'),
    timeouts: fc.record(
      {
        connectMs: whole(1, 86_400_000),
        listMs: whole(1, 9),
        listPauseMs: whole(1, 9),
        callMs: whole(1, 9),
        totalMs: whole(1, 9),
      },
      optional,
    ),
    maxConcurrency: whole(1, 10_000),
    tools: fc.record({ allow: words, deny: words }, optional),
    validation: fc.constantFrom('off', 'warn', 'enforce'),
    inferHints: fc.boolean(),
    instructions: fc.boolean(),
    type: fc.constant('stdio'),
  },
  { requiredKeys: ['command'] },
);

const file = fc.record(
  {
    schemaVersion: fc.constant(1),
    enabledWorkflows: fc.subarray(['xcode-ide', 'checkpoints']),
    server: fc.record(
      {
        host: fc.constantFrom('127.0.0.1', '127.9.9.9', '::1', 'localhost'),
        port: whole(0, 65_535),
        allowedHosts: words,
        allowedOrigins: words,
        nameInResults: fc.boolean(),
        tokens: fc.constant([{ name: 'a', hash: `sha256:${'0f'.repeat(32)}`, expires: '2027-01-31' }]),
      },
      optional,
    ),
    upstreams: fc.dictionary(key, entry, { noNullPrototype: true, maxKeys: 4 }),
    workflows: fc.record({ 'xcode-ide': fc.record({ tabs: whole(1, 9), target: text }, optional) }, optional),
    names: fc.record({ maxLength: whole(20, 128) }, optional),
    lists: fc.record({ graceMs: whole(0, 60_000) }, optional),
    limits: fc.record({ frameBytes: whole(1024, 1024 ** 3) }, optional),
    log: fc.record({ level: fc.constantFrom('silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace') }, optional),
  },
  { requiredKeys: ['schemaVersion'] },
);

test('a config is the same as JSON, as YAML in blocks and as YAML in braces', () => {
  fc.assert(
    fc.property(file, (value) => {
      const config = parse(JSON.stringify(value));
      expect(parse(stringify(value, { lineWidth: 0 }))).toEqual(config);
      expect(parse(stringify(value, { collectionStyle: 'flow' }))).toEqual(config);
    }),
  );
});

test('a config says what the file says', () => {
  fc.assert(
    fc.property(file, (value) => {
      const { upstreams, disabled } = parse(stringify(value));
      for (const { key: name, command, args, env } of [...upstreams, ...disabled]) {
        const written = value.upstreams?.[name];
        const plain = (part: unknown): string => String(part).replaceAll('$${', '${');
        expect(command).toBe(plain(written?.command));
        expect(args).toEqual((written?.args ?? []).map(plain));
        expect(Object.values(env ?? {})).toEqual(Object.values(written?.env ?? {}).map(plain));
      }
      expect(upstreams.length + disabled.length).toBe(Object.keys(value.upstreams ?? {}).length);
    }),
  );
});

/** Throws what is no ConfigError, and what is one but cannot be shown. */
function parseAnything(source: string): void {
  try {
    parse(source);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    expect(error.issues).not.toEqual([]);
    for (const { line, column } of error.issues) expect(Math.min(line, column)).toBeGreaterThanOrEqual(1);
    expect(error.format()).not.toMatch(/undefined|\[object|NaN/);
  }
}

test('random text is a config or a ConfigError', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), parseAnything), { numRuns: 300 });
});

const WORDS = 'a env upstreams workflows xcode-ide enabledWorkflows command args 1 ~ true .inf'.split(' ');
const MARKS = [
  ': ',
  ':',
  '\n',
  '\n  ',
  '\n    ',
  '- ',
  '[',
  ']',
  '{',
  '}',
  ', ',
  '"',
  "'",
  '|\n',
  '>-\n',
  '? ',
  '#',
  '\t',
];
const ODDITIES = '&x |*x|!t |!!str |%YAML 1.1\n|---\n|...\n|<<|__proto__|${|${A}|$${|\0|\uFEFF|\ud800|\r\n'.split('|');

test('so is text of pieces that mean something', () => {
  const piece = fc.constantFrom(...WORDS, ...MARKS, ...ODDITIES);
  const source = fc.array(piece, { maxLength: 30 }).map((parts) => parts.join(''));
  const begin = fc.constantFrom('', 'schemaVersion: 1\n', 'schemaVersion: 1\nupstreams:\n  a:\n    ');
  fc.assert(
    fc.property(begin, source, (first, rest) => parseAnything(first + rest)),
    { numRuns: 600 },
  );
});

test('so is every beginning of a config, as an editor leaves it half-way', () => {
  fc.assert(
    fc.property(file, fc.nat(), (value, at) => {
      const source = stringify(value);
      parseAnything(source.slice(0, at % (source.length + 1)));
    }),
  );
});
