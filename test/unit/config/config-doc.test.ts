import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { configJsonSchema } from '../../../src/config/json-schema.ts';
import { errorOf, parse } from './parse-text.ts';

const DOC = readFileSync(new URL('../../../docs/CONFIG.md', import.meta.url), 'utf8');
const OPTIONS = { env: { GITHUB_TOKEN: 'ghp_0123456789' } };

/** An example, and what is printed about it. */
const FAILING = /```yaml\n([^`]*)```\s+```text\n([^`]*)```/g;
const failing = [...DOC.matchAll(FAILING)].map((match) => [match[1] ?? '', match[2] ?? ''] as const);
const working = [...DOC.replaceAll(FAILING, '').matchAll(/```yaml\n([^`]*)```/g)].map((match) => match[1] ?? '');

/** Key → default, of every row whose first cell is a key. */
function rows(): Map<string, string> {
  const matches = DOC.matchAll(/^\| `([\w.]+)` +\| .* \| ([^|]+?) +\| [^|]+ \|$/gm);
  return new Map([...matches].map((match) => [match[1] ?? '', match[2] ?? '']));
}

const Node = z.looseObject({
  default: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  additionalProperties: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
});

/** The same, as the schema has it; keys of entries without what is before them. */
function keysOf(schema: unknown, path = ''): [string, unknown][] {
  const node = Node.parse(schema);
  const own =
    node.properties === undefined
      ? []
      : Object.entries(node.properties).flatMap(([key, value]) => keysOf(value, `${path}${key}.`));
  if (node.properties !== undefined && path !== 'workflows.') return own;
  // The key is a text, or a mapping with keys of its own.
  const ofMapping = path === 'gateway.' ? keysOf(node.anyOf?.at(-1), path) : [];
  return [[path.slice(0, -1), node.default], ...ofMapping, ...entryKeys(node.additionalProperties, path)];
}

function entryKeys(entry: unknown, path: string): [string, unknown][] {
  if (path === 'profiles.') return keysOf(entry, 'profiles.NAME.');
  if (path === 'models.backends.') return keysOf(entry, 'models.backends.NAME.');
  return path === 'upstreams.' ? keysOf(entry) : [];
}

describe('docs/CONFIG.md', () => {
  test.each(working.map((text) => [text]))('an example works:\n%s', (text) => {
    expect(parse(text, OPTIONS).upstreams).not.toEqual([]);
  });

  test.each(failing)('an example fails as printed:\n%s', (text, printed) => {
    expect(`${errorOf(text, OPTIONS).format('viaduct.yaml')}\n`).toBe(printed);
  });

  test('there are examples of both', () => {
    expect([working.length, failing.length]).toEqual([6, 4]);
  });

  test('has a row for every key, with its default', () => {
    const documented = rows();
    // What `defaults` may have is that of entries.
    const keys = keysOf(configJsonSchema({})).filter(([key]) => !key.startsWith('defaults.'));
    expect([...documented.keys()].sort()).toEqual([...keys.map(([key]) => key), 'defaults'].sort());
    for (const [key, value] of keys) {
      const shown = typeof value === 'string' ? value : JSON.stringify(value);
      if (value !== undefined) expect([key, documented.get(key)]).toEqual([key, `\`${shown}\``]);
    }
  });
});
