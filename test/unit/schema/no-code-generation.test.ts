import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);
const repository = resolve(import.meta.dirname, '../../..');

/** Checks each kind of schema, and counts the attempts to make code out of text, which the flag would end. */
const SCRIPT = `
  import { ArgumentsValidator } from './src/schema/arguments-validator.ts';
  let attempts = 0;
  globalThis.Function = new Proxy(Function, {
    construct(target, args) { attempts += 1; return Reflect.construct(target, args); },
    apply(target, self, args) { attempts += 1; return Reflect.apply(target, self, args); },
  });
  const validator = new ArgumentsValidator({ limitMs: 20_000 });
  const check = (schema, args) => validator.check(JSON.stringify(schema), args).outcome;
  const list = { type: 'object', properties: { next: { $ref: '#' }, v: { type: 'string', pattern: '^(?:a|b)+$' } } };
  const hanging = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
  const plain = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
  let isFlagOn = false;
  try { new Function(''); } catch { isFlagOn = true; }
  attempts = 0;
  const verdicts = [
    check(plain, { a: 'x' }), check(plain, {}),
    check(list, { next: { v: 'ab' } }), check(list, { next: { v: 'c' } }),
    new ArgumentsValidator().check(JSON.stringify(hanging), { a: 'a'.repeat(40) + '!' }).outcome,
  ];
  console.log(JSON.stringify({ verdicts, attempts, isFlagOn }));
`;

const EXPECTED = ['valid', 'invalid', 'valid', 'invalid', 'unchecked'];

let folder: string;
let script: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'viaduct-schema-'));
  script = join(folder, 'check.mjs');
  const { outputFiles } = await build({
    stdin: { contents: SCRIPT, resolveDir: repository, loader: 'js' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
  });
  await writeFile(script, outputFiles[0]!.text);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test('checking works where no code may be made out of text', async () => {
  const { stdout } = await run(process.execPath, ['--disallow-code-generation-from-strings', script]);
  expect(JSON.parse(stdout)).toEqual({ verdicts: EXPECTED, attempts: 0, isFlagOn: true });
});

test('and makes none where it may', async () => {
  const { stdout } = await run(process.execPath, [script]);
  expect(JSON.parse(stdout)).toEqual({ verdicts: EXPECTED, attempts: 0, isFlagOn: false });
});
