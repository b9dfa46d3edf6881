import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Catalogue } from '../../../src/catalogue/catalogue.ts';
import type { CatalogueView } from '../../../src/catalogue/catalogue-view.ts';
import type { EntryKind, Provider } from '../../../src/core/providers/provider.ts';
import { toBuffer } from '../../../src/wire/bytes.ts';
import { jsonTexts } from '../wire/arbitraries.ts';
import { Offering } from './provider.ts';

function open(providers: readonly Provider[], maxLength = 64) {
  const notices: EntryKind[][] = [];
  const settings = { maxLength };
  const source = new Catalogue({ maxNameLength: () => settings.maxLength });
  const catalogue = source.openView(undefined, (kinds) => notices.push([...kinds]));
  source.setProviders(providers);
  return { source, catalogue, notices, settings };
}

const textOf = (catalogue: CatalogueView, kind: EntryKind) => toBuffer(catalogue.listResult(kind, 'legacy')).toString();

/** Lets what was put off to the end of this turn happen. */
const turn = () => new Promise(setImmediate);

const tool = (name: string, more = '') => `{"name":${JSON.stringify(name)}${more}}`;
const resource = (uri: string, more = '') => `{"uri":${JSON.stringify(uri)}${more}}`;

describe('lists', () => {
  test('hold the entries of all providers in their order, on one page each', () => {
    const { catalogue } = open([
      new Offering('git', { tool: [tool('commit'), tool('log')], template: ['{"uriTemplate":"git://{ref}"}'] }),
      new Offering('own', { tool: [tool('save')] }, { kind: 'workflow' }),
      new Offering('fs', { tool: [tool('read')], prompt: [tool('ask')], resource: [resource('file:///a')] }),
    ]);
    expect(textOf(catalogue, 'tool')).toBe(
      '{"tools":[{"name":"git_commit"},{"name":"git_log"},{"name":"save"},{"name":"fs_read"}]}',
    );
    expect(textOf(catalogue, 'prompt')).toBe('{"prompts":[{"name":"fs_ask"}]}');
    expect(textOf(catalogue, 'resource')).toBe('{"resources":[{"uri":"file:///a"}]}');
    expect(textOf(catalogue, 'template')).toBe('{"resourceTemplates":[{"uriTemplate":"git://git/{ref}"}]}');
  });

  test('are merged anew only where something in them may differ', () => {
    const git = new Offering('git', { tool: [tool('commit')] });
    const { source, settings } = open([git]);
    const merged = source.lists();
    source.onOffer();
    expect(source.lists()).toBe(merged);
    settings.maxLength = 32;
    source.onOffer();
    expect(source.lists()).not.toBe(merged);
    const renamed = source.lists();
    source.setProviders([git, new Offering('fs', { tool: [] })]);
    expect(source.lists()).not.toBe(renamed);
  });

  test('without providers are empty', () => {
    const { catalogue } = open([]);
    expect(textOf(catalogue, 'tool')).toBe('{"tools":[]}');
    expect(textOf(catalogue, 'template')).toBe('{"resourceTemplates":[]}');
  });

  test('give a name its prefix, and leave every other byte of the entry as it is', () => {
    const spellings = fc.constantFrom('"read"', '"r\\u0065ad"', '"größe"', '"gr\\u00f6ße"');
    fc.assert(
      fc.property(jsonTexts, jsonTexts, spellings, fc.constantFrom('git', ''), (before, after, spelling, prefix) => {
        const write = (name: string) => `{ "é":${before}, "n\\u0061me" : ${name} ,"z":${after}}`;
        const { catalogue } = open([new Offering('git', { tool: [write(spelling)] }, { prefix })]);
        const own = JSON.parse(spelling) as string;
        const [[name, route] = []] = [...catalogue.routes('tool')];
        // Without a prefix nothing is renamed, so the provider's own spelling stays.
        const shown = name === own ? spelling : JSON.stringify(name);
        expect(textOf(catalogue, 'tool')).toBe(`{"tools":[${write(shown)}]}`);
        expect(name).toMatch(prefix === '' ? /^(read$|gr_)/ : /^git_(read$|gr_)/);
        expect(route).toMatchObject({ ownName: own, ownToken: Buffer.from(spelling).toString('latin1') });
      }),
      { numRuns: 150 },
    );
  });

  test('have no name twice, and each name leads to whoever offers it', () => {
    const names = fc.uniqueArray(
      fc.constantFrom('a', 'b', 'c', 'a_b', 'b_c', 'a b', 'a/b', '__proto__', 'x'.repeat(70)),
      { maxLength: 5 },
    );
    const offers = fc.uniqueArray(fc.tuple(fc.constantFrom('a', 'a_b', 'b', 'c'), names), {
      selector: ([id]) => id,
      maxLength: 4,
    });
    fc.assert(
      fc.property(offers, (given) => {
        const own = new Offering('own', { tool: [tool('a_c'), tool('b_a')] }, { kind: 'workflow', prefix: '' });
        const { catalogue } = open([
          ...given.map(([id, list]) => new Offering(id, { tool: list.map((name) => tool(name)) })),
          own,
        ]);
        const listed = (JSON.parse(textOf(catalogue, 'tool')) as { tools: { name: string }[] }).tools.map(
          ({ name }) => name,
        );
        const reached = listed.map((name) => {
          const route = catalogue.finder.find('tool', name)!;
          return `${route.provider.id} ${route.ownName}`;
        });
        const wanted = [...given.flatMap(([id, list]) => list.map((name) => `${id} ${name}`)), 'own a_c', 'own b_a'];
        expect(reached).toEqual(wanted);
        expect(new Set(listed).size).toBe(listed.length);
        expect(listed).toEqual(expect.arrayContaining(['a_c', 'b_a']));
      }),
      { numRuns: 200 },
    );
  });

  test('keep to the longest name of the config, also when that changes', () => {
    const { source, catalogue, settings } = open([new Offering('git', { tool: [tool('x'.repeat(50))] })]);
    expect([...catalogue.routes('tool').keys()]).toEqual([`git_${'x'.repeat(50)}`]);
    settings.maxLength = 20;
    source.onOffer();
    expect([...catalogue.routes('tool').keys()]).toEqual([expect.stringMatching(/^git_x{7}_[0-9a-f]{8}$/)]);
  });
});

describe('a name that is not listed', () => {
  const named = (id: string, prefix: string, unlisted: string[]) => {
    const provider = new Offering(id, {}, { prefix });
    provider.unlisted = unlisted;
    return provider;
  };
  const providers = [
    named('plain', '', ['x', 'a_x', 'z_y']),
    named('a', 'a', ['x', 'b_x', 'y', '']),
    named('ab', 'a_b', ['x']),
    new Offering('own', { tool: [tool('own_x')] }, { kind: 'workflow', prefix: '' }),
  ];

  test.each([
    ['a_x', 'a x'],
    ['a_b_x', 'ab x'],
    ['a_y', 'a y'],
    ['a_b_y', undefined],
    ['a_', undefined],
    ['x', 'plain x'],
    ['z_y', 'plain z_y'],
    ['ax', undefined],
    ['own_x', 'own own_x'],
    ['own_y', undefined],
    ['', undefined],
  ])('%s leads to %s: the longest prefix decides alone', (name, expected) => {
    const { catalogue } = open(providers);
    const route = catalogue.finder.find('tool', name);
    expect(route === undefined ? undefined : `${route.provider.id} ${route.ownName}`).toBe(expected);
    if (name === 'a_x') expect(route).toMatchObject({ ownToken: '"x"', descriptor: undefined });
  });
});

test('a name with a hash for a tail leads to nobody by its prefix: it was made from the name of another', () => {
  const a = new Offering('a', { tool: [tool('b_c')] });
  const other = new Offering('a_b');
  const { source, catalogue } = open([a, other]);
  const [name] = [...catalogue.routes('tool').keys()];
  other.unlisted = [name!.slice('a_b_'.length)];
  expect(catalogue.finder.find('tool', name!)).toMatchObject({ provider: { id: 'a' }, ownName: 'b_c' });
  a.offer({});
  source.onOffer();
  expect(catalogue.finder.find('tool', name!)).toBeUndefined();
});

describe('resources', () => {
  const listed = (catalogue: CatalogueView) =>
    (JSON.parse(textOf(catalogue, 'resource')) as { resources: { uri: string }[] }).resources.map(({ uri }) => uri);

  test('of two providers with one uri are both reachable, and each knows its own', () => {
    const uri = 'file:///shared?x=é y';
    const one = new Offering('one', { resource: [resource(uri, ',"n":1')] });
    const two = new Offering('two', { resource: [resource(uri, ',"n":2'), resource('b:only')] });
    const { catalogue } = open([one, two]);
    expect(listed(catalogue)).toEqual([uri, `viaduct://two/${uri}`, 'b:only']);
    for (const [index, provider] of [one, two].entries())
      expect(catalogue.finder.findResource(listed(catalogue)[index]!)).toMatchObject([
        { provider: { id: provider.id }, ownName: uri },
      ]);
  });

  test('cannot be taken over by an upstream that lists the public uri of another', () => {
    const stolen = 'viaduct://two/file:///x';
    const thief = new Offering('thief', { resource: [resource(stolen), resource('file:///x')] });
    const two = new Offering('two', { resource: [resource('file:///x')] });
    const { catalogue } = open([thief, two]);
    expect(catalogue.finder.findResource(stolen)).toMatchObject([{ provider: { id: 'two' }, ownName: 'file:///x' }]);
    expect(new Set(listed(catalogue)).size).toBe(3);
  });

  test('of two providers may have a uri that is no well-formed text', () => {
    const odd = '{"uri":"x:\\ud800"}';
    const { catalogue } = open([new Offering('one', { resource: [odd] }), new Offering('two', { resource: [odd] })]);
    expect(textOf(catalogue, 'resource')).toBe(`{"resources":[${odd},{"uri":"viaduct://two/x:\\ud800"}]}`);
    expect(catalogue.finder.findResource('viaduct://two/x:\ud800')).toMatchObject([{ ownName: 'x:\ud800' }]);
  });

  test('that nobody lists are looked for at the likeliest first, and only where they may be', () => {
    const [plain, scheme, deaf] = [
      new Offering('plain', { resource: [resource('dbx:y')] }),
      new Offering('scheme', { resource: [resource('db:x')] }),
      new Offering('deaf', { resource: [resource('db:y')] }),
    ];
    for (const provider of [plain, scheme]) provider.unlisted = ['db:z', 'no-scheme'];
    const { catalogue } = open([plain, scheme, deaf]);
    const owners = (wanted: string) => catalogue.finder.findResource(wanted).map(({ provider }) => provider.id);
    expect(owners('db:z')).toEqual(['scheme', 'plain']);
    expect(owners('no-scheme')).toEqual(['plain', 'scheme']);
    expect(owners('db:x')).toEqual(['scheme']);
    expect(owners('nobody:knows')).toEqual([]);
    expect(owners('viaduct://plain/anything:at all')).toEqual(['plain']);
    expect(owners('viaduct://unknown/x')).toEqual([]);
  });

  test('are found by their uri with other escapes, if that is no other resource', () => {
    const two = new Offering('two', {
      resource: [resource('file:///a b'), resource('file:///é'), resource('file:///c')],
    });
    const one = new Offering('one', { resource: [resource('file:///a b'), resource('file:///c%20d')] });
    const { catalogue } = open([one, two]);
    const found = (uri: string) =>
      catalogue.finder.findResource(uri).map(({ provider, ownName }) => [provider.id, ownName]);
    expect(found('file:///a%20b')).toEqual([['one', 'file:///a b']]);
    expect(found('viaduct://two/file:///a%20b')).toEqual([['two', 'file:///a b']]);
    expect(found('file:///%C3%A9')).toEqual([['two', 'file:///é']]);
    expect([found('file:///c%'), found('file:///%63%2f')]).toEqual([[], []]);
  });

  test('templates lead to their provider, equal ones too', () => {
    const template = '{"uriTemplate":"a:{b}"}';
    const { catalogue } = open([
      new Offering('one', { template: [template] }),
      new Offering('two', { template: [template] }),
    ]);
    expect(textOf(catalogue, 'template')).toBe(
      `{"resourceTemplates":[${template},{"uriTemplate":"viaduct://two/a:{b}"}]}`,
    );
    expect(catalogue.finder.findTemplate('a:{b}')).toMatchObject([{ provider: { id: 'one' }, ownName: 'a:{b}' }]);
    expect(catalogue.finder.findTemplate('viaduct://two/a:{b}')).toMatchObject([
      { provider: { id: 'two' }, ownName: 'a:{b}' },
    ]);
    expect(catalogue.finder.findTemplate('c:d')).toEqual([]);
  });
});

describe('change notices', () => {
  test('come once a turn, name the lists that differ, and only when clients can see a difference', async () => {
    const git = new Offering('git', { tool: [tool('a'), tool('b')] });
    const { source, notices } = open([git]);
    await turn();
    expect(notices).toEqual([['tool']]);

    git.offer({ tool: [tool('a'), tool('b')] });
    source.onOffer();
    source.setProviders([git, new Offering('empty')]);
    await turn();
    expect(notices).toHaveLength(1);

    git.offer({
      tool: [tool('a'), tool('b', ',"description":"new"')],
      prompt: [tool('p')],
      resource: [resource('x:y')],
    });
    for (let count = 0; count < 10; count++) source.onOffer();
    await turn();
    expect(notices.slice(1)).toEqual([['tool', 'prompt', 'resource']]);

    git.offer({
      tool: [tool('b', ',"description":"new"'), tool('a')],
      prompt: [tool('p')],
      resource: [resource('x:y')],
    });
    source.onOffer();
    await turn();
    source.setProviders([]);
    await turn();
    expect(notices.slice(2)).toEqual([['tool'], ['tool', 'prompt', 'resource']]);
  });

  test('a list asked for in the same turn is new already, and its notice comes once', async () => {
    const git = new Offering('git');
    const { source, catalogue, notices } = open([git]);
    expect(textOf(catalogue, 'tool')).toBe('{"tools":[]}');
    git.offer({ tool: [tool('a')] });
    source.onOffer();
    const first = catalogue.listResult('tool', 'legacy');
    expect(toBuffer(first).toString()).toBe('{"tools":[{"name":"git_a"}]}');
    await turn();
    expect(notices).toEqual([['tool']]);
    expect(catalogue.listResult('tool', 'legacy')).toBe(first);
  });
});

describe('whenKnown', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  /** What has come of a wait so far. */
  function waitFor(catalogue: CatalogueView, graceMs: number) {
    const state = { over: false };
    void catalogue.whenKnown(graceMs).then(() => {
      state.over = true;
    });
    return state;
  }

  const silent = (id: string) => {
    const provider = new Offering(id);
    provider.known = false;
    return provider;
  };

  test('is at once when everybody is known, or nobody is there', async () => {
    for (const providers of [[], [new Offering('a')]]) {
      const wait = waitFor(open(providers).catalogue, 1_000);
      await vi.advanceTimersByTimeAsync(0);
      expect(wait.over).toBe(true);
      expect(vi.getTimerCount()).toBe(0);
    }
  });

  test('is as soon as the last one is known', async () => {
    const [a, b] = [silent('a'), silent('b')];
    const { source, catalogue } = open([a, b]);
    const wait = waitFor(catalogue, 1_000);
    a.known = true;
    source.onOffer();
    await vi.advanceTimersByTimeAsync(10);
    expect(wait.over).toBe(false);
    b.known = true;
    source.onOffer();
    await vi.advanceTimersByTimeAsync(0);
    expect(wait.over).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('is after the grace, and not again for one that was too slow', async () => {
    const [slow, other] = [silent('slow'), silent('other')];
    const { source, catalogue } = open([slow]);
    const wait = waitFor(catalogue, 1_000);
    await vi.advanceTimersByTimeAsync(999);
    expect(wait.over).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(wait.over).toBe(true);

    const second = waitFor(catalogue, 1_000);
    await vi.advanceTimersByTimeAsync(0);
    expect(second.over).toBe(true);

    source.setProviders([slow, other]);
    const third = waitFor(catalogue, 1_000);
    await vi.advanceTimersByTimeAsync(10);
    expect(third.over).toBe(false);
    other.known = true;
    source.onOffer();
    await vi.advanceTimersByTimeAsync(0);
    expect(third.over).toBe(true);
  });

  test('a provider that goes is not waited for', async () => {
    const { source, catalogue } = open([silent('a')]);
    const wait = waitFor(catalogue, 1_000);
    source.setProviders([]);
    await vi.advanceTimersByTimeAsync(0);
    expect(wait.over).toBe(true);
  });
});
