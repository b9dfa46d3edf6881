import { describe, expect, test } from 'vitest';
import { Catalogue } from '../../../src/catalogue/catalogue.ts';
import { isForAppsOnly } from '../../../src/catalogue/own-tool.ts';
import { FULL_PERMISSIONS } from '../../../src/core/access/permissions.ts';
import type { WithheldEntry } from '../../../src/core/providers/provider.ts';
import { Offering } from './provider.ts';

const tool = (name: string, more = '') => `{"name":"${name}"${more}}`;

function open(...providers: readonly Offering[]) {
  const source = new Catalogue({ maxNameLength: () => 64 });
  source.setProviders(providers);
  return source.openView(undefined, () => undefined);
}

const shown = (found: ReturnType<ReturnType<typeof open>['finder']['findTool']>) =>
  found === undefined || 'publicNames' in found ? found : `${found.provider.id} ${found.ownName}`;

describe('a tool by its server’s own name', () => {
  test('is found if one upstream has it, and named if several have it', () => {
    const view = open(
      new Offering('a', { tool: [tool('x'), tool('both')] }),
      new Offering('b', { tool: [tool('y'), tool('both')] }),
    );
    expect(['x', 'y', 'a_x', 'nobody'].map((name) => shown(view.finder.findTool(name)))).toEqual([
      'a x',
      'b y',
      'a x',
      undefined,
    ]);
    expect(shown(view.finder.findTool('both'))).toEqual({ publicNames: ['a_both', 'b_both'] });
  });

  test('is no tool of another upstream whose prefix it begins with, whether that one is there or not', () => {
    const [a, thief] = [new Offering('a'), new Offering('thief', { tool: [tool('a_delete')] })];
    const view = open(a, thief);
    expect(shown(view.finder.findTool('a_delete'))).toBeUndefined();
    a.unlisted = ['delete'];
    expect(shown(view.finder.findTool('a_delete'))).toBe('a delete');
  });

  test('may begin with the prefix of its own upstream', () => {
    const git = new Offering('git', { tool: [tool('git_commit')] });
    git.unlisted = ['commit'];
    const view = open(git, new Offering('other', { tool: [tool('git_commit')] }));
    expect(shown(view.finder.findTool('git_commit'))).toBe('git git_commit');
  });

  test('is preferred to a tool that an upstream without a prefix may have', () => {
    const [plain, b] = [new Offering('plain', {}, { prefix: '' }), new Offering('b', { tool: [tool('x')] })];
    plain.unlisted = ['x', 'z'];
    const view = open(plain, b);
    expect([shown(view.finder.findTool('x')), shown(view.finder.findTool('z'))]).toEqual(['b x', 'plain z']);
  });

  test('is not found where it looks like a made name, or another upstream withholds a tool of that name', () => {
    const a = new Offering('a', { tool: [tool('x'), tool('n_0123abcd')] });
    const b = new (class extends Offering {
      withheld(): readonly WithheldEntry[] {
        return [{ kind: 'tool', name: 'x', reason: 'filtered', detail: '' }];
      }
    })('b');
    const view = open(a, b);
    expect([shown(view.finder.findTool('x')), shown(view.finder.findTool('n_0123abcd'))]).toEqual([
      { publicNames: ['a_x'] },
      undefined,
    ]);
  });

  test('is one that the client may see', () => {
    const source = new Catalogue({ maxNameLength: () => 64 });
    source.setProviders([
      new Offering('a', { tool: [tool('x'), tool('denied')] }),
      new Offering('b', { tool: [tool('x'), tool('hidden')] }),
    ]);
    const access = { ...FULL_PERMISSIONS, upstreams: ['a'], tools: { allow: ['*'], deny: ['a_denied'] } };
    const view = source.openView(access, () => undefined);
    expect(['x', 'hidden', 'denied'].map((name) => shown(view.finder.findTool(name)))).toEqual([
      'a x',
      undefined,
      undefined,
    ]);
  });
});

test.each([
  ['{"ui":{"visibility":["app"]}}', true],
  ['{"ui":{"visibility":["model","app"]}}', false],
  ['{"ui":{"visibility":[]}}', true],
  ['{"ui":{"visibility":"app"}}', false],
  ['{"ui":{}}', false],
  ['null', false],
])('a tool with the _meta %s is for apps only: %s', (meta, expected) => {
  const view = open(new Offering('a', { tool: [tool('x', `,"_meta":${meta}`)] }));
  const route = view.finder.findTool('x')!;
  expect('publicNames' in route || isForAppsOnly(route)).toBe(expected);
});
