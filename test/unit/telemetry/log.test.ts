import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createLog } from '../../../src/telemetry/log.ts';
import { Masker } from '../../../src/telemetry/masker.ts';
import { temporaryFolder } from '../../support/gateway.ts';

function maskerFor(...secrets: string[]): Masker {
  const masker = new Masker();
  for (const secret of secrets) masker.add(secret);
  return masker;
}

describe('a secret is masked', () => {
  const secret = 'p@ss "w/ö\\rd"?+';

  test.each([
    ['as it is', `x ${secret} y`, 'x [secret] y'],
    ['in JSON', JSON.stringify({ a: `x${secret}` }), '{"a":"x[secret]"}'],
    ['in a URL', `https://h/?t=${encodeURIComponent(secret)}&u=1`, 'https://h/?t=[secret]&u=1'],
    ['in base64', `"${Buffer.from(secret).toString('base64')}"`, '"[secret]"'],
    ['in base64 without padding', `${Buffer.from(secret).toString('base64').replaceAll('=', '')}.`, '[secret].'],
    ['in base64url', Buffer.from(secret).toString('base64url'), '[secret]'],
    ['in a URL in lower case', encodeURIComponent(secret).replaceAll(/%../g, (byte) => byte.toLowerCase()), '[secret]'],
    ['in a form', encodeURIComponent(secret).replaceAll('%20', '+'), '[secret]'],
    ['in hex', Buffer.from(secret).toString('hex'), '[secret]'],
    ['in JSON in JSON', JSON.stringify(JSON.stringify({ a: secret })), '"{\\"a\\":\\"[secret]\\"}"'],
    ['several times', `${secret}${secret}`, '[secret][secret]'],
  ])('%s', (_name, text, masked) => expect(maskerFor(secret).mask(text)).toBe(masked));

  test.each(['u', 'us', 'use', 'user'])('in basic authentication of "%s"', (user) => {
    const header = Buffer.from(`${user}:${secret}:x`).toString('base64');
    const left = maskerFor(secret).mask(header);
    expect(left).toContain('[secret]');
    expect(Buffer.from(left.replace('[secret]', ''), 'base64').length).toBeLessThan(user.length + 8);
  });

  test('though it means something in a regular expression', () => {
    const masker = maskerFor('(a+)+$|.*', '[^]{6}', '\\d\\d\\d');
    expect(masker.mask('(a+)+$|.* [^]{6} \\d\\d\\d 123 aaaa')).toBe('[secret] [secret] [secret] 123 aaaa');
  });

  test('the longest first, so that nothing of another one remains', () => {
    expect(maskerFor('abcdef', 'abcdefgh', 'xabcdef').mask('abcdefgh xabcdefy abcdef')).toBe(
      '[secret] [secret]y [secret]',
    );
  });

  test('that is registered later as well', () => {
    const masker = maskerFor('first-one');
    expect(masker.mask('first-one later-one')).toBe('[secret] later-one');
    masker.add('later-one');
    expect(masker.mask('first-one later-one')).toBe('[secret] [secret]');
  });

  test('though it is no well-formed text', () => {
    expect(maskerFor('abcdef\ud800').mask('x abcdef\ud800 y')).toBe('x [secret] y');
  });
});

describe('is left alone', () => {
  test.each(['', 'a', '12345'])('a short value, for it is in every line: "%s"', (secret) => {
    expect(maskerFor(secret).mask('12345 a')).toBe('12345 a');
  });

  test('everything while there is no secret, and what is merely like one', () => {
    expect(maskerFor().mask('abcdef')).toBe('abcdef');
    expect(maskerFor('abcdef').mask('abcde f ABCDEF')).toBe('abcde f ABCDEF');
  });
});

describe('the log', () => {
  function open(level: 'info' | 'silent' = 'info') {
    const lines: string[] = [];
    return {
      lines,
      log: createLog({ level, destination: { write: (line) => lines.push(line) }, masker: maskerFor('s3cret "x"') }),
    };
  }

  test('is one JSON line an event, with the time and without the host', () => {
    const { log, lines } = open();
    log.info({ event: 'state', state: 'ready' }, 'up is ready');
    expect(lines).toHaveLength(1);
    const { time, ...rest } = JSON.parse(lines[0]!) as { time: string };
    expect(rest).toEqual({ level: 30, event: 'state', state: 'ready', msg: 'up is ready' });
    expect(new Date(time).toISOString()).toBe(time);
  });

  test('has no secret in fields, messages, errors and children', () => {
    const { log, lines } = open();
    log
      .child({ of: 's3cret "x"' })
      .warn({ err: new Error('bad s3cret "x"'), deep: { a: ['s3cret "x"'] } }, 's3cret "x" again');
    expect(lines.join('')).not.toContain('s3cret');
    expect(JSON.parse(lines[0]!)).toMatchObject({ of: '[secret]', deep: { a: ['[secret]'] }, msg: '[secret] again' });
  });

  test('says what an error was', () => {
    const { log, lines } = open();
    log.warn({ error: new TypeError('no such thing') }, 'failed');
    expect(JSON.parse(lines[0]!)).toMatchObject({ error: { type: 'TypeError', message: 'no such thing' } });
  });

  test('cuts what a peer made long', () => {
    const { log, lines } = open();
    log.warn({ method: 'x'.repeat(1_000_000), tool: 'short' }, 'odd');
    expect(lines[0]!.length).toBeLessThan(5_000);
    expect(JSON.parse(lines[0]!)).toMatchObject({
      method: expect.stringContaining('(1000000 characters)'),
      tool: 'short',
    });
  });

  test('makes no second line of what an upstream writes', () => {
    const { log, lines } = open();
    log.warn({ line: 'x\n{"level":50}\u001b[31m' }, 'a\nb');
    expect(lines.join('').trimEnd().split('\n')).toHaveLength(1);
    expect(lines[0]).not.toContain('\u001b');
  });

  test('below its level is nothing', () => {
    const { log, lines } = open('silent');
    log.fatal('x');
    expect(lines).toEqual([]);
  });
});

describe('the log file', () => {
  const open = (file: string, lines: string[] = []) => ({
    lines,
    log: createLog({
      level: 'info',
      destination: { write: (line) => lines.push(line) },
      file,
      masker: maskerFor('s3cret!'),
    }),
  });

  test('has the lines of standard error, after those of earlier runs, without secrets, for its user only', () => {
    const file = path.join(temporaryFolder(), 'log');
    const first = open(file);
    first.log.warn('a s3cret!');
    const second = open(file);
    second.log.warn('b');
    expect(readFileSync(file, 'utf8')).toBe([...first.lines, ...second.lines].join(''));
    expect(first.lines[0]).toContain('a [secret]');
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test.runIf(process.platform === 'linux')('that cannot be written is reported once and harms nothing', () => {
    const { log, lines } = open('/dev/full');
    log.warn('a');
    log.warn('b');
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
      'a',
      'lines of the log cannot be written to its file',
      'b',
    ]);
    expect(lines[1]).toContain('ENOSPC');
  });

  test('that cannot be opened is an error', () => {
    expect(() => open(path.join(temporaryFolder(), 'nowhere', 'log'))).toThrow(/ENOENT/);
  });
});

test('of an error no more is written than of any other text', () => {
  const lines: string[] = [];
  const log = createLog({ level: 'info', destination: { write: (line: string) => void lines.push(line) } });
  log.error({ error: new Error('x'.repeat(100_000)) }, 'one');
  log.error({ err: new Error('x'.repeat(100_000)) }, 'other');
  expect(lines.map((line) => line.length < 20_000)).toEqual([true, true]);
  expect(lines[0]).toContain('(100000 characters)');
});
