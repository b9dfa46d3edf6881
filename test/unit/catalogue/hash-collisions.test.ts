import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { Catalogue } from '../../../src/catalogue/catalogue.ts';
import { publicName } from '../../../src/catalogue/names.ts';
import { Offering } from './provider.ts';

const RULES = { maxLength: 64, prefixes: ['up'], reserved: new Set<string>() };
const tool = (name: string) => `{"name":${JSON.stringify(name)}}`;

/** Two names with the same first 32 bits of their hash, which is found after some 80,000 tries. */
function collision(): [string, string] {
  const seen = new Map<string, string>();
  for (let count = 0; ; count++) {
    // All signs become one "_": the heads are alike.
    const name = `read ${count.toString(2).replaceAll('0', '+').replaceAll('1', '*')}`;
    const hash = createHash('sha256').update(`up\0${name}`).digest('hex').slice(0, 8);
    const other = seen.get(hash);
    if (other !== undefined) return [other, name];
    seen.set(hash, name);
  }
}

test('two tools of one server whose hashes begin alike are both there, in whichever order they are listed', () => {
  const pair = collision();
  expect(new Set(pair.map((name) => publicName('up', name, RULES))).size).toBe(1);
  const found = [pair, pair.toReversed()].map((names) => {
    const source = new Catalogue({ maxNameLength: () => 64 });
    const view = source.openView(undefined, () => undefined);
    source.setProviders([new Offering('up', { tool: ['plain', 'other tool', ...names].map(tool) })]);
    return new Map([...view.routes('tool')].map(([name, { ownName }]) => [ownName, name]));
  });
  for (const own of pair) {
    expect(found[0]!.get(own)).toMatch(/^up_read_+[0-9a-f]{16}$/);
    expect(found[1]!.get(own)).toBe(found[0]!.get(own));
  }
  expect(found[0]!.get(pair[0])).not.toBe(found[0]!.get(pair[1]));
  expect(found[0]!.get('plain')).toBe('up_plain');
  expect(found[0]!.get('other tool')).toMatch(/^up_other_tool_[0-9a-f]{8}$/);
});

test('a tool that is listed twice is there once, under its usual name', () => {
  const source = new Catalogue({ maxNameLength: () => 64 });
  const view = source.openView(undefined, () => undefined);
  source.setProviders([new Offering('up', { tool: [tool('a b'), tool('a b')] })]);
  expect([...view.routes('tool').keys()]).toEqual([publicName('up', 'a b', RULES)]);
});
