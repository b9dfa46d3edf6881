import { describe, expect, test } from 'vitest';
import { Catalogue } from '../../../src/catalogue/catalogue.ts';
import { FULL_PERMISSIONS, type Permissions } from '../../../src/core/access/permissions.ts';
import type { EntryKind, Provider } from '../../../src/core/providers/provider.ts';
import { toBuffer } from '../../../src/wire/bytes.ts';
import { Offering } from './provider.ts';

const tool = (name: string) => `{"name":"${name}"}`;
const resource = (uri: string) => `{"uri":"${uri}"}`;

function open(providers: readonly Provider[], access: Partial<Permissions>) {
  const source = new Catalogue({ maxNameLength: () => 64 });
  source.setProviders(providers);
  const notices: EntryKind[][] = [];
  const view = source.openView({ ...FULL_PERMISSIONS, ...access }, (kinds) => notices.push([...kinds]));
  const all = source.openView(undefined, () => undefined);
  return { source, view, all, notices };
}

const ids = (routes: readonly { readonly provider: Provider }[]) => routes.map(({ provider }) => provider.id);

describe('a view that shows a part', () => {
  test('lists that part, under the names that everybody sees', () => {
    const a = new Offering('a', { tool: [tool('x'), tool('y')], resource: [resource('s:1')] });
    const b = new Offering('b', { tool: [tool('x')], resource: [resource('s:1')] });
    const { view, all } = open([a, b], { upstreams: ['b'] });
    const text = (kind: EntryKind) => toBuffer(view.listResult(kind, 'modern')).toString();
    expect(text('tool')).toBe('{"tools":[{"name":"b_x"}]}');
    expect([...view.routes('resource').keys()]).toEqual([[...all.routes('resource').keys()][1]]);
  });

  test('finds a resource with whoever has it and is seen, though another one lists it first', () => {
    const [a, b] = [new Offering('a', { resource: [resource('s:1')] }), new Offering('b')];
    b.unlisted = ['s:1'];
    const { view, all } = open([a, b], { upstreams: ['b'] });
    expect([ids(all.finder.findResource('s:1')), ids(view.finder.findResource('s:1'))]).toEqual([['a'], ['b']]);
    expect(ids(view.finder.findResource('viaduct://a/s:1'))).toEqual([]);
  });

  test('has no tasks of what is not seen', () => {
    const { view } = open([new Offering('a'), new Offering('b')], { upstreams: ['b'] });
    expect([view.finder.findTask('a/1'), view.finder.findTask('b/1')?.provider.id]).toEqual([undefined, 'b']);
  });

  test('an upstream’s names are its own, seen or not: none is tried with another upstream', () => {
    const [hidden, open_] = [new Offering('a'), new Offering('b', {}, { prefix: '' })];
    open_.unlisted = ['a_x', 'x'];
    const { view } = open([hidden, open_], { upstreams: ['b'] });
    expect([view.finder.find('tool', 'a_x'), view.finder.find('tool', 'x')?.provider.id]).toEqual([undefined, 'b']);
  });

  test('finds no tool or prompt under a name of more than 256 characters', () => {
    const a = new Offering('a');
    const [known, unknown] = ['x'.repeat(254), 'x'.repeat(255)];
    a.unlisted = [known, unknown];
    const { view } = open([a], {});
    expect(view.finder.find('tool', `a_${known}`)?.ownName).toBe(known);
    expect([view.finder.find('tool', `a_${unknown}`), view.finder.find('prompt', `a_${unknown}`)]).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('a tool is denied by the name that clients know, whatever name it is called by', () => {
    const long = 'x'.repeat(70);
    const a = new Offering('a', { tool: [tool(long)] });
    a.unlisted = [long, 'y'];
    const [name] = [...open([a], {}).all.routes('tool').keys()];
    const { view } = open([a], { tools: { allow: ['*'], deny: [name!, 'a_y'] } });
    expect([name!, `a_${long}`, 'a_y'].map((one) => view.finder.find('tool', one))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('tells of changes that it shows, and of none that it does not', async () => {
    const [a, b] = [new Offering('a', { tool: [tool('x')] }), new Offering('b', { tool: [tool('x')] })];
    const { source, notices } = open([a, b], { upstreams: ['b'], tools: { allow: ['*'], deny: ['b_y'] } });
    a.offer({ tool: [tool('y')] });
    b.offer({ tool: [tool('x'), tool('y')] });
    source.onOffer();
    await new Promise(setImmediate);
    expect(notices).toEqual([]);
    b.offer({ tool: [tool('y'), tool('z')], prompt: [tool('p')] });
    source.onOffer();
    await new Promise(setImmediate);
    expect(notices).toEqual([['tool', 'prompt']]);
  });

  test('shows another part when its access changes, and says who is not seen any more', () => {
    const [a, b] = [new Offering('a', { tool: [tool('x')] }), new Offering('b', { tool: [tool('x')] })];
    const { view, notices } = open([a, b], { upstreams: ['a'] });
    expect(ids(view.limitTo({ ...FULL_PERMISSIONS, upstreams: ['b'] }).map((provider) => ({ provider })))).toEqual([
      'a',
    ]);
    expect([[...view.routes('tool').keys()], notices]).toEqual([['b_x'], [['tool']]]);
    expect(view.limitTo(undefined)).toEqual([]);
    expect([...view.routes('tool').keys()]).toEqual(['a_x', 'b_x']);
    expect(view.limitTo({ ...FULL_PERMISSIONS, upstreams: ['a', 'b'] })).toEqual([]);
    expect(notices).toEqual([['tool'], ['tool']]);
  });

  test('waits for nobody that it does not show', async () => {
    const silent = new Offering('a');
    silent.known = false;
    const { view } = open([silent, new Offering('b')], { upstreams: ['b'] });
    await view.whenKnown(60_000);
  });

  test('is told nothing more once it is closed', async () => {
    const a = new Offering('a');
    const { source, view, notices } = open([a], {});
    source.closeView(view);
    a.offer({ tool: [tool('x')] });
    source.onOffer();
    await new Promise(setImmediate);
    expect(notices).toEqual([]);
  });
});
