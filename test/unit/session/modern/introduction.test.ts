import { expect, test } from 'vitest';
import { ModernIntroduction } from '../../../../src/session/modern/introduction.ts';

const LONG = 64 * 1024;

test('each name is announced once, of the first hundred', () => {
  const names: string[] = [];
  const introduction = new ModernIntroduction((name) => names.push(name));
  const note = (name: unknown) => introduction.note({ capabilities: '{}', clientInfo: JSON.stringify({ name }) });
  for (const name of ['a', 'b', 'a', 5, undefined]) note(name);
  expect([names, introduction.clientInfo]).toEqual([['a', 'b'], { name: 'a' }]);
  for (let count = 0; count < 200; count++) note(`agent ${count}`);
  expect([names.length, introduction.clientInfo]).toEqual([100, { name: 'agent 199' }]);
});

test('words that are too long to be kept count as none', () => {
  const introduction = new ModernIntroduction(() => undefined);
  expect(introduction.isIntroduced).toBe(false);
  const extensions = { 'io.modelcontextprotocol/ui': {} };
  const filler = 'x'.repeat(LONG);
  introduction.note({
    capabilities: JSON.stringify({ extensions, filler }),
    clientInfo: JSON.stringify({ name: filler }),
  });
  expect([introduction.isIntroduced, introduction.clientInfo, introduction.passed]).toEqual([
    true,
    { name: 'unknown' },
    new ModernIntroduction(() => undefined).passed,
  ]);
  introduction.note({ capabilities: JSON.stringify({ extensions }), clientInfo: undefined });
  expect(introduction.passed).toMatchObject({ extensions });
});

test('words of 65,536 characters are kept, and one more is too many', () => {
  const capabilities = (length: number) => {
    const [before, after] = ['{"extensions":{"io.modelcontextprotocol/ui":{}},"filler":"', '"}'];
    return `${before}${'x'.repeat(length - before.length - after.length)}${after}`;
  };
  const introduction = new ModernIntroduction(() => undefined);
  const name = (length: number) => 'x'.repeat(length - '{"name":""}'.length);
  introduction.note({ capabilities: capabilities(LONG), clientInfo: `{"name":"${name(LONG)}"}` });
  expect(introduction.passed).toMatchObject({ extensions: { 'io.modelcontextprotocol/ui': {} } });
  expect(introduction.clientInfo).toEqual({ name: name(LONG) });
  introduction.note({ capabilities: capabilities(LONG + 1), clientInfo: `{"name":"${name(LONG + 1)}"}` });
  expect(introduction.passed).toEqual(new ModernIntroduction(() => undefined).passed);
  expect(introduction.clientInfo).toEqual({ name: name(LONG) });
});
