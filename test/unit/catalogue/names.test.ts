import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type NamingRules, publicName } from '../../../src/catalogue/names.ts';

const rules = (changes: Partial<NamingRules> = {}): NamingRules => ({
  maxLength: 64,
  prefixes: [],
  reserved: new Set(),
  ...changes,
});

/** Prefixes that begin with each other, in every way. */
const prefixes = fc.uniqueArray(
  fc.oneof(
    fc.constantFrom('', 'a', 'a_', 'a__', 'a_b', 'a_b_c', 'ab', 'A', 'b', '-', '_', 'x'.repeat(40)),
    fc.stringMatching(/^[ab_-]{0,4}$/),
  ),
  { minLength: 1, maxLength: 4 },
);
const plainNames = fc
  .array(fc.constantFrom('a', 'b', 'c', '_', '-', 'x'), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.join(''));
const oddNames = fc
  .array(
    fc.constantFrom('a', '_', ' ', '/', '.', 'é', '😀', '\0', '\n', '"', '\ud800', '\udfff', '\ufffd', 'x'.repeat(60)),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.join(''));
const ownNames = fc.oneof(plainNames, oddNames, fc.constantFrom('__proto__', 'constructor', 'tool_', 'get_deadbeef'));
const lengths = fc.constantFrom(20, 24, 64, 128);

interface Owned {
  readonly prefix: string;
  readonly ownName: string;
}

/** What upstreams may name their tools, one of them after the name that another's tool has here. */
function withImpostors(honest: readonly Owned[], given: NamingRules): Owned[] {
  const names = honest.map(({ prefix, ownName }) => publicName(prefix, ownName, given));
  const impostors = names.flatMap((name) =>
    given.prefixes
      .filter((prefix) => prefix === '' || name.startsWith(`${prefix}_`))
      .map((prefix) => ({ prefix, ownName: prefix === '' ? name : name.slice(prefix.length + 1) })),
  );
  const all = [...honest, ...impostors].filter(({ ownName }) => ownName !== '');
  return [...new Map(all.map((owned) => [JSON.stringify(owned), owned])).values()];
}

describe('public names', () => {
  test('are legal, short enough, and never shared, neither by accident nor by intent', () => {
    const owned = fc.array(fc.tuple(fc.nat(), ownNames), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(prefixes, owned, lengths, (all, tools, maxLength) => {
        const given = rules({ prefixes: all, maxLength });
        const honest = tools.map(([index, ownName]) => ({ prefix: all[index % all.length]!, ownName }));
        const everybody = withImpostors(honest, given);
        const names = everybody.map(({ prefix, ownName }) => publicName(prefix, ownName, given));
        for (const name of names) {
          expect(name).toMatch(/^[A-Za-z0-9_-]+$/);
          expect(name.length).toBeLessThanOrEqual(maxLength);
        }
        const owners = new Map<string, Owned>();
        for (const [index, name] of names.entries()) {
          expect({ name, owner: owners.get(name) }).toEqual({ name, owner: undefined });
          owners.set(name, everybody[index]!);
        }
        // Whatever hash another upstream finds for a name of its own: where the heads are the same, the lengths are not.
        const heads = new Map<string, string>();
        for (const [index, name] of names.entries()) {
          if (!/_[0-9a-f]{8}$/.test(name)) continue;
          const { prefix } = everybody[index]!;
          const head = name.slice(0, -9);
          expect({ head, prefix: heads.get(head) ?? prefix }).toEqual({ head, prefix });
          heads.set(head, prefix);
        }
      }),
      { numRuns: 600 },
    );
  });

  test('cannot be taken over by an upstream that names its own tool like them', () => {
    const given = rules({ prefixes: ['a', 'a_b'] });
    const name = publicName('a', 'b_c', given);
    expect(publicName('a_b', name.slice('a_b_'.length), given)).not.toBe(name);
    expect(publicName('a', name.slice('a_'.length), given)).not.toBe(name);
  });

  test.each([
    ['a', 'b_c'],
    ['a', `b_${'c'.repeat(70)}`],
    ['', 'a b.c'],
    ['', 'a/b/c'],
  ])('in the space of a longer prefix have a hash that cannot be searched for: %s %s', (prefix, ownName) => {
    const name = publicName(prefix, ownName, rules({ prefixes: ['', 'a', 'a_b'] }));
    expect(name).toMatch(/^a_b.*_[0-9a-f]{16}$/);
    expect(publicName('a_b', name.slice('a_b_'.length), rules({ prefixes: ['', 'a', 'a_b'] }))).not.toBe(name);
  });

  test('of names that differ in lone surrogates only are different', () => {
    const names = ['\ud800', '\ud801', '\ufffd', '\0', '\0;'].map((ownName) => publicName('a', ownName, rules()));
    expect(new Set(names).size).toBe(5);
  });

  test('depend on nothing but the config and the own name', () => {
    fc.assert(
      fc.property(prefixes, ownNames, fc.nat(), (all, ownName, index) => {
        const prefix = all[index % all.length]!;
        const name = publicName(prefix, ownName, rules({ prefixes: all }));
        expect(publicName(prefix, ownName, rules({ prefixes: all.toReversed() }))).toBe(name);
        expect(publicName(prefix, ownName, rules({ prefixes: [...all, 'unrelated'] }))).toBe(name);
      }),
      { numRuns: 100 },
    );
  });

  test('never are names of the gateway itself', () => {
    const reserved = new Set(['a_b', 'xcode_tools_bridge_status', 'save_checkpoint']);
    for (const [prefix, ownName] of [
      ['a', 'b'],
      ['', 'a_b'],
      ['', 'save_checkpoint'],
      ['xcode_tools', 'bridge_status'],
      ['xcode', 'tools_bridge_status'],
    ] as const) {
      expect(reserved).not.toContain(publicName(prefix, ownName, rules({ reserved, prefixes: [prefix] })));
    }
  });

  test.each([
    ['git', 'commit', {}, 'git_commit'],
    ['', 'commit', {}, 'commit'],
    ['a', 'b_c', { prefixes: ['a', 'b'] }, 'a_b_c'],
    ['a_b', 'c', { prefixes: ['a', 'a_b'] }, 'a_b_c'],
    ['g', 'x'.repeat(62), {}, `g_${'x'.repeat(62)}`],
    [
      'github',
      'create_pull_request_review_comment_reply',
      { maxLength: 47 },
      'github_create_pull_request_review_comment_reply',
    ],
  ])('of legal and free names are those: %s %s', (prefix, ownName, changes, name) => {
    expect(publicName(prefix, ownName, rules(changes))).toBe(name);
  });

  // Agents' settings and prompts name tools: another tail for the same tool is a broken setting.
  test.each([
    ['git', 'x'.repeat(70), {}, `git_${'x'.repeat(51)}_70c8ea84`],
    ['git', 'read file', {}, 'git_read_file_973612da'],
    ['git', 'größe/höhe', {}, 'git_gr_e_h_he_483a3d5f'],
    ['a', 'b_c', { prefixes: ['a', 'a_b'] }, 'a_b_c_662f0bbbda83090c'],
    ['', 'bridge_status', { reserved: new Set(['bridge_status']) }, 'bridge_status_90bb13ce'],
    ['', '😀', {}, '__93f47983'],
  ])('of all others have a readable head and a tail that stays: %s %s', (prefix, ownName, changes, name) => {
    expect(publicName(prefix, ownName, rules(changes))).toBe(name);
  });
});
