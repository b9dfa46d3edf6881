import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { KnownEntries } from '../../../src/catalogue/known-entries.ts';
import { mergeLists, namingRulesOf } from '../../../src/catalogue/merge.ts';
import type { MergedLists } from '../../../src/catalogue/merged-list.ts';
import { UriOwners } from '../../../src/catalogue/uris/uri-owners.ts';
import type { Provider } from '../../../src/core/providers/provider.ts';
import { entry, Offering } from './provider.ts';

/** Changes its lists without changing the entries that stay. */
class Changing extends Offering {
  readonly #entries = new Map<string, ReturnType<typeof entry>>();
  #listing = super.listing();

  change(tools: readonly string[], resources: readonly string[]): void {
    const list = (kind: 'tool' | 'resource', texts: readonly string[]) =>
      texts.map((text) => {
        const known = this.#entries.get(text) ?? entry(kind, text);
        this.#entries.set(text, known);
        return known;
      });
    this.#listing = { ...this.#listing, tool: list('tool', tools), resource: list('resource', resources) };
  }

  override listing() {
    return this.#listing;
  }
}

function merge(providers: readonly Provider[], maxLength: number, uris: UriOwners, known: KnownEntries): MergedLists {
  return mergeLists(providers, { rules: namingRulesOf(providers, maxLength), uris }, known);
}

const plain = ({ tool, resource }: MergedLists) =>
  [tool, resource].map(({ entries, routes, texts }) => ({
    texts,
    names: entries.map(({ name }) => name),
    routes: [...routes].map(([name, { provider, ownName, ownToken }]) => [name, provider.id, ownName, ownToken]),
  }));

const tools = fc.uniqueArray(
  fc.constantFrom(
    ...['a', 'b', 'b_c', 'a b', 'x'.repeat(70), 'own_x'].map((name) => `{"name":"${name}"}`),
    '{"name":"ui","_meta":{"ui":{"resourceUri":"ui://page"}}}',
  ),
  { maxLength: 5 },
);
const resources = fc.uniqueArray(
  fc.constantFrom('{"uri":"https://h/a"}', '{"uri":"https://h/b"}', '{"uri":"ui://page"}'),
);
const steps = fc.array(
  fc.record({
    provider: fc.nat(2),
    tools,
    resources,
    own: fc.constantFrom('x', 'own_x', 'a_b'),
    maxLength: fc.constantFrom(64, 20),
    kept: fc.constantFrom(['a', 'a_b', 'c'], ['a_b', 'c']),
  }),
  { minLength: 1, maxLength: 8 },
);

test('lists that are merged from what is known equal those that are merged anew', () => {
  fc.assert(
    fc.property(steps, (changes) => {
      const uris = new UriOwners();
      const own = new Offering('own', {}, { kind: 'workflow', prefix: '' });
      const upstreams = ['a', 'a_b', 'c'].map((id) => new Changing(id));
      const known = new KnownEntries();
      for (const change of changes) {
        upstreams[change.provider]!.change(change.tools, change.resources);
        own.offer({ tool: [`{"name":"${change.own}"}`] });
        uris.keepOnly(new Set(change.kept));
        const providers = [own, ...upstreams];
        uris.onListed(
          upstreams.flatMap((upstream) =>
            upstream.listing().resource.map(({ ownName }) => ({ key: upstream.id, uri: ownName })),
          ),
        );
        const merged = merge(providers, change.maxLength, uris, known);
        expect(plain(merged)).toEqual(plain(merge(providers, change.maxLength, uris, new KnownEntries())));
      }
    }),
    { numRuns: 200 },
  );
});

test('an entry that stays keeps its place to lead to; uris are asked for when they may be others', () => {
  const uris = new UriOwners();
  const publicUri = vi.spyOn(uris, 'publicUri');
  const up = new Changing('up');
  const known = new KnownEntries();
  up.change(['{"name":"a"}'], ['{"uri":"https://h/a"}']);
  const first = merge([up], 64, uris, known);
  up.change(['{"name":"b"}', '{"name":"a"}'], ['{"uri":"https://h/a"}']);
  const second = merge([up], 64, uris, known);
  expect(second.tool.routes.get('up_a')).toBe(first.tool.routes.get('up_a'));
  expect(publicUri).toHaveBeenCalledTimes(1);
  uris.onListed([{ key: 'other', uri: 'https://h/a' }]);
  merge([up], 64, uris, known);
  expect(publicUri).toHaveBeenCalledTimes(2);
});
