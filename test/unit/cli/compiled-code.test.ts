import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { CompiledCode } from '../../../src/cli/compiled-code.ts';
import { temporaryFolder } from '../../support/gateway.ts';

const require = createRequire(import.meta.url);
const load = require.extensions['.js'];

afterEach(() => {
  require.extensions['.js'] = load;
});

/** A built program, and the folder that keeps its compiled code. */
function place() {
  const root = temporaryFolder();
  const [code, kept] = [path.join(root, 'chunks'), path.join(root, 'home', 'code')];
  mkdirSync(code);
  writeFileSync(path.join(root, 'package.json'), '{ "type": "commonjs" }');
  return { code, kept };
}

const sourceOf = (value: number) => `exports.value = () => ${value}; exports.name = __filename; exports.value();`;

/** Loads a file as a run of the program does. Its time is that of every file in a package of npm. */
function run({ code, kept }: ReturnType<typeof place>, source: string, command = 'stdio', changedAt = 1) {
  require.extensions['.js'] = load;
  const file = path.join(code, 'program.js');
  writeFileSync(file, source);
  utimesSync(file, changedAt, changedAt);
  delete require.cache[file];
  const compiled = new CompiledCode({ folder: kept, command });
  compiled.install(code);
  const { value, name } = require(file) as { value: () => number; name: string };
  expect(name).toBe(file);
  compiled.keep();
  return value();
}

const filesIn = (folder: string) => readdirSync(folder).map((name) => path.join(folder, name));

test('code that was compiled is not compiled again', () => {
  const at = place();
  expect(run(at, sourceOf(1))).toBe(1);
  // Only the kept code can tell this.
  expect(run(at, sourceOf(2))).toBe(1);
  expect(filesIn(at.kept)).toHaveLength(1);
});

test('only this user can read what is kept', () => {
  const at = place();
  run(at, sourceOf(1));
  expect(statSync(at.kept).mode & 0o777).toBe(0o700);
  expect(statSync(filesIn(at.kept)[0]!).mode & 0o777).toBe(0o600);
});

test('each command has code of its own', () => {
  const at = place();
  run(at, sourceOf(1), 'stdio');
  expect(run(at, sourceOf(2), 'serve')).toBe(2);
  expect(filesIn(at.kept)).toHaveLength(2);
});

test('code of another source is not used, and replaced', () => {
  const at = place();
  run(at, sourceOf(1));
  expect(run(at, sourceOf(123))).toBe(123);
  expect(run(at, sourceOf(456))).toBe(123);
});

test('code of a source that was edited since is not used, and replaced', () => {
  const at = place();
  run(at, sourceOf(1));
  expect(run(at, sourceOf(2), 'stdio', 2)).toBe(2);
  expect(run(at, sourceOf(3), 'stdio', 2)).toBe(2);
});

test.each([0, 10, 32, 100])('a file of which %i bytes are left is not used, and replaced', (bytes) => {
  const at = place();
  run(at, sourceOf(1));
  const [file] = filesIn(at.kept) as [string];
  writeFileSync(file, readFileSync(file).subarray(0, bytes));
  expect(run(at, sourceOf(2))).toBe(2);
  expect(run(at, sourceOf(3))).toBe(2);
});

test('a damaged file is not used, and replaced', () => {
  const at = place();
  run(at, sourceOf(1));
  const [file] = filesIn(at.kept) as [string];
  const content = readFileSync(file);
  content[content.length - 40]! ^= 0xff;
  writeFileSync(file, content);
  expect(run(at, sourceOf(2))).toBe(2);
  expect(run(at, sourceOf(3))).toBe(2);
});

test('a folder that others can write is neither read nor written', () => {
  const at = place();
  run(at, sourceOf(1));
  chmodSync(at.kept, 0o777);
  expect(run(at, sourceOf(2))).toBe(2);
  chmodSync(at.kept, 0o700);
  expect(run(at, sourceOf(3))).toBe(1);
});

test('a folder below one in which others can rename it is neither read nor written', () => {
  const at = place();
  run(at, sourceOf(1));
  chmodSync(path.dirname(at.kept), 0o777);
  expect(run(at, sourceOf(2))).toBe(2);
  chmodSync(path.dirname(at.kept), 0o700);
  expect(run(at, sourceOf(3))).toBe(1);
});

test('a link to a folder that only this user can write is followed', () => {
  const at = place();
  run(at, sourceOf(1));
  const elsewhere = `${at.kept}-elsewhere`;
  renameSync(at.kept, elsewhere);
  symlinkSync(elsewhere, at.kept);
  expect(run(at, sourceOf(2))).toBe(1);
});

test('a file that others can write, and a link, are not used, and replaced', () => {
  const at = place();
  run(at, sourceOf(1));
  const [file] = filesIn(at.kept) as [string];
  chmodSync(file, 0o660);
  expect(run(at, sourceOf(2))).toBe(2);
  const elsewhere = path.join(at.code, '..', 'elsewhere');
  renameSync(file, elsewhere);
  symlinkSync(elsewhere, file);
  expect(run(at, sourceOf(3))).toBe(3);
  expect(run(at, sourceOf(4))).toBe(3);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test.skipIf(process.getuid?.() !== 0)('a file of another user is not used, and replaced', () => {
  const at = place();
  run(at, sourceOf(1));
  chownSync(filesIn(at.kept)[0]!, 65_534, 65_534);
  expect(run(at, sourceOf(2))).toBe(2);
  expect(run(at, sourceOf(3))).toBe(2);
});

test('a folder that cannot be made is no problem', () => {
  const at = place();
  writeFileSync(path.dirname(at.kept), 'a file');
  expect(run(at, sourceOf(1))).toBe(1);
});

test('what nobody has written for a month is removed', () => {
  const at = place();
  run(at, sourceOf(1));
  const [old] = filesIn(at.kept) as [string];
  utimesSync(old, 0, 0);
  run(at, sourceOf(2), 'serve');
  expect(filesIn(at.kept)).toHaveLength(1);
  expect(filesIn(at.kept)).not.toContain(old);
});

test('a stack trace has the columns of the file', () => {
  const at = place();
  const source = 'exports.name = __filename; exports.value = () => new Error("here").stack;';
  const column = source.indexOf('new Error') + 1;
  expect(run(at, source)).toContain(`program.js:1:${column}`);
  expect(run(at, source)).toContain(`program.js:1:${column}`);
});

test('an error names the file, and files of other folders are loaded by Node.js', () => {
  const at = place();
  const other = path.join(at.code, '..', 'other.js');
  writeFileSync(other, 'module.exports = 5;');
  expect(run(at, `exports.value = () => require('../other.js');`.concat('exports.name = __filename;'))).toBe(5);
  expect(() => run(at, 'throw new Error("no");')).toThrow('no');
  expect(() => run(at, 'exports = (;')).toThrow(SyntaxError);
});
