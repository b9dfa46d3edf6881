import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addEntries, ConfigEditError } from '../../../../src/commands/import/add-entries.ts';
import { readYaml } from '../../../../src/config/yaml/yaml-document.ts';

const NEW = [
  { key: 'new', value: { command: 'x', args: ['1', 'a: b # c'] }, remarks: ['a remark'] },
  { key: 'far', value: { url: 'https://x.example.com/mcp', disabled: true }, remarks: [] },
];

describe('entries are added to a config', () => {
  test.each([
    ['without upstreams', 'schemaVersion: 1 # one\n'],
    ['without a line end', 'schemaVersion: 1'],
    ['with an empty list', 'schemaVersion: 1\nupstreams:\n  # none yet\nlog: { level: info }\n'],
    ['with an empty list in braces', 'schemaVersion: 1\nupstreams: {} # none\nlog: { level: info }\n'],
    ['with others', 'schemaVersion: 1\nupstreams:\n  a: # one\n    args:\n      - b # tail\n\n# the log\nlog: {}\n'],
    ['that is indented otherwise', 'upstreams:\n    a: { command: x }\n\n\nschemaVersion: 1\n'],
    ['with others in braces', 'upstreams: { a: { command: x }, } # flow\nschemaVersion: 1\n'],
    ['with a text over lines', 'upstreams:\n  a:\n    command: |\n      x\n\n\nschemaVersion: 1'],
    ['with line ends of Windows', 'schemaVersion: 1\r\nupstreams:\r\n  a:\r\n    command: x\r\n'],
    ['that is JSON', '{\n  "schemaVersion": 1,\n  "upstreams": {\n    "a": { "command": "x" }\n  }\n}\n'],
    ['that is JSON on one line', '{"schemaVersion":1}'],
  ])('%s, and all its lines stay', (_what, text) => {
    const next = addEntries(text, NEW);
    const { upstreams } = readYaml(next).value as { upstreams: Record<string, unknown> };
    expect(Object.keys(upstreams).slice(-2)).toEqual(['new', 'far']);
    expect(upstreams.new).toEqual(NEW[0]!.value);
    const marks = [...text.matchAll(/#.*/g)].map(([mark]) => mark.trim());
    for (const mark of marks) expect(next).toContain(mark);
    if (text.includes('\r\n')) expect(next).not.toMatch(/[^\r]\n/);
  });

  test('with what there is to say of them', () => {
    expect(addEntries('upstreams:\n  a: {}\n', NEW)).toContain('\n  # a remark\n  new:\n');
  });

  test.each([
    ['an alias', 'a: &a { b: { command: x } }\nupstreams: *a\n'],
    ['braces that YAML alone understands', '{ schemaVersion: 1, upstreams: { a: { command: x } } }'],
  ])('but not to one with %s', (_what, text) => {
    expect(() => addEntries(text, NEW)).toThrow(ConfigEditError);
  });

  test('whatever they hold, the config says it', () => {
    const text = fc
      .string({ unit: 'binary', maxLength: 20 })
      .filter((word) => !word.includes('\0') && word.isWellFormed());
    const value = fc.record({ command: text, args: fc.array(text, { minLength: 1, maxLength: 3 }) });
    fc.assert(
      fc.property(value, fc.array(text, { maxLength: 2 }), (one, remarks) => {
        const next = addEntries('schemaVersion: 1\nupstreams:\n  a: { command: x } # y\n', [
          { key: 'k', value: one, remarks },
        ]);
        expect((readYaml(next).value as any).upstreams.k).toEqual(one);
      }),
    );
  });
});
