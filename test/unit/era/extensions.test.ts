import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { undeclared } from '../../../src/era/declared.ts';
import { hasSkills, listsDirectories, passedCapabilities, unionOf } from '../../../src/era/extensions.ts';

describe('what is passed on of what a peer declares', () => {
  test('is extensions, but for tasks, and experiments', () => {
    expect(
      passedCapabilities({
        tools: {},
        tasks: {},
        extensions: { x: { a: 1 }, 'io.modelcontextprotocol/tasks': {} },
        experimental: { y: {} },
      }),
    ).toEqual({ extensions: { x: { a: 1 } }, experimental: { y: {} } });
  });

  test.each([
    {},
    { extensions: {} },
    { extensions: null, experimental: 'x' },
    { extensions: { 'io.modelcontextprotocol/tasks': {} } },
  ])('is nothing of %j', (declared) => expect(passedCapabilities(declared)).toEqual({}));

  test('is put together from all peers: members and elements of all, true before false, the first of what contradicts', () => {
    const [a, b] = [
      { extensions: { ui: { types: ['x', { k: 1 }], on: false, level: 1 }, only: {} } },
      { extensions: { ui: { types: [{ k: 1 }, 'y'], on: true, level: 2, more: null } }, experimental: { e: {} } },
    ];
    expect(unionOf([a, b])).toEqual({
      extensions: { ui: { types: ['x', { k: 1 }, 'y'], on: true, level: 1, more: null }, only: {} },
      experimental: { e: {} },
    });
  });

  test('keeps what each declares, whatever the names are', () => {
    const objects = fc.dictionary(fc.constantFrom('a', '__proto__', 'constructor', 'toString'), fc.jsonValue(), {
      minKeys: 1,
    });
    fc.assert(
      fc.property(objects, objects, (one, other) => {
        const { extensions = {} } = unionOf([{ extensions: one }, { extensions: other }]);
        expect(new Set(Object.keys(extensions))).toEqual(new Set([...Object.keys(one), ...Object.keys(other)]));
        expect(Object.getPrototypeOf(extensions)).toBe(Object.prototype);
        expect(({} as any).polluted).toBeUndefined();
      }),
    );
  });
});

test('skills are declared as an extension, and directories in it', () => {
  const skills = (settings: unknown) => ({ extensions: { 'io.modelcontextprotocol/skills': settings } });
  expect([hasSkills({}), hasSkills(skills({})), hasSkills({ experimental: skills({}).extensions })]).toEqual([
    false,
    true,
    false,
  ]);
  expect([skills({}), skills({ directoryRead: true }), skills({ directoryRead: 'yes' })].map(listsDirectories)).toEqual(
    [false, true, false],
  );
});

test.each([
  ['tools/call', {}, '2025-11-25', undefined],
  ['tools/call', { prompts: {} }, '2025-11-25', 'tools'],
  ['prompts/get', { tools: {} }, '2025-11-25', 'prompts'],
  ['resources/read', { tools: {} }, '2026-07-28', 'resources'],
  ['resources/subscribe', { resources: {} }, '2025-11-25', 'resources.subscribe'],
  ['resources/subscribe', { resources: { subscribe: true } }, '2025-11-25', undefined],
  ['completion/complete', { prompts: {} }, '2025-11-25', 'completions'],
  ['completion/complete', { prompts: {} }, '2026-07-28', 'completions'],
  ['completion/complete', { prompts: {} }, '2024-11-05', undefined],
  ['completion/complete', { completions: {} }, '2025-11-25', undefined],
  ['skills/get', { resources: {} }, '2025-11-25', 'skills'],
  ['resources/directory/read', { extensions: { 'io.modelcontextprotocol/skills': {} } }, '2025-11-25', 'directories'],
  ['tasks/get', {}, '2025-11-25', undefined],
])('%s of a server that declares %j (%s) lacks %s', (method, capabilities, protocolVersion, expected) => {
  expect(undeclared(method, { capabilities, protocolVersion })).toBe(expected);
});
