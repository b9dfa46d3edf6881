import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseWindow } from '../../../../src/upstream/windows/choose-window.ts';
import type { IdeWindow } from '../../../../src/upstream/windows/find-windows.ts';

/** Windows on ports from 1 on, with these folders open. */
const windowsOf = (workspaces: readonly (string | undefined)[]): IdeWindow[] =>
  workspaces.map((workspace, index) => ({
    port: index + 1,
    dialect: 'rest',
    url: `http://127.0.0.1:${index + 1}/mcp`,
    workspace,
  }));

function chosen(workspaces: readonly (string | undefined)[], folder: string | undefined, isConfigured = false) {
  const choice = chooseWindow(windowsOf(workspaces), { folder, isConfigured });
  return 'window' in choice ? choice.window.port : choice.problem;
}

describe('chooseWindow', () => {
  test.each<[string, (string | undefined)[], string | undefined, number]>([
    ['the window with this very folder', ['/a', '/b'], '/b', 2],
    ['the nearest folder above', ['/a', '/a/b', '/'], '/a/b/c', 2],
    ['the only one below', ['/a/b', '/c'], '/a', 1],
    ['one above rather than one below', ['/a/b/c', '/a'], '/a/b', 2],
    ['the only one there is, where nothing is known of the client', ['/a'], undefined, 1],
    ['one that is known beside one that is not', [undefined, '/a'], '/a', 2],
  ])('takes %s', (_name, workspaces, folder, port) => {
    expect(chosen(workspaces, folder)).toBe(port);
  });

  test.each<[string, (string | undefined)[], string | undefined, string]>([
    ['there is none', [], '/a', 'no window was found'],
    ['the only one has another folder open', ['/b'], '/a', '127.0.0.1:1 (/b)'],
    ['a name only begins like another', ['/a'], '/ab', 'no window is known to have the folder /ab open'],
    ['the only one has no folder open', [''], '/a', '127.0.0.1:1 (no folder open)'],
    ['two have the same folder open', ['/a', '/a'], '/a', 'several windows fit'],
    ['two lie below', ['/a/b', '/a/c'], '/a', 'several windows fit'],
    ['nothing is known of the only one', [undefined], '/a', '127.0.0.1:1 (does not say its folder)'],
    ['there are two and nothing is known of the client', ['/a', '/b'], undefined, 'it is not known which folder'],
    ['none of several says its folder', [undefined, undefined], '/a', 'named by its url'],
    ['none fits and one says nothing', [undefined, '/b'], '/a', 'no window is known'],
  ])('decides nothing where %s', (_name, workspaces, folder, words) => {
    expect(chosen(workspaces, folder)).toContain(words);
  });

  test('a folder that the config names must be known to be there', () => {
    expect(chosen([undefined], '/a', true)).toContain('the folder /a open, which the config names');
    expect(chosen(['/a'], '/a', true)).toBe(1);
  });

  test('shows what a plug-in says without control characters, and not all of a long text', () => {
    const words = chosen([`/x\u001b[31m\u202e${'y'.repeat(4_000)}`, '/b'], '/c');
    expect(words).toContain(`127.0.0.1:1 (/x${'y'.repeat(297)}…)`);
  });

  test('never takes a window whose folder has nothing to do with that of the client', () => {
    const folder = fc.array(fc.constantFrom('a', 'b', 'ab'), { maxLength: 3 }).map((parts) => `/${parts.join('/')}`);
    const workspace = fc.option(fc.oneof(folder, fc.constant('')), { nil: undefined });
    fc.assert(
      fc.property(fc.array(workspace, { minLength: 1, maxLength: 5 }), folder, (workspaces, wanted) => {
        const choice = chooseWindow(windowsOf(workspaces), { folder: wanted, isConfigured: false });
        if (!('window' in choice)) return;
        const { workspace: taken } = choice.window;
        const ways = [path.relative(taken!, wanted), path.relative(wanted, taken!)];
        expect(taken !== '' && ways.some((way) => !way.startsWith('..'))).toBe(true);
      }),
    );
  });
});

describe('a window that does not say its folder', () => {
  const silent = (names: readonly string[]): IdeWindow => ({
    port: 1,
    dialect: 'rest',
    url: 'http://127.0.0.1:1/mcp',
    workspace: undefined,
    entries: new Map(names.map((name) => [name, 'file'])) as never,
  });
  const words = (names: readonly string[]) => {
    const choice = chooseWindow([silent(names)], { folder: '/a', isConfigured: false });
    return 'problem' in choice ? choice.problem : '';
  };

  test('is shown with what its folder has, five names at most', () => {
    expect(words(['a', 'b'])).toContain('(does not say its folder, which has a, b)');
    expect(words(['a', 'b', 'c', 'd', 'e'])).toContain('which has a, b, c, d, e)');
    expect(words(['a', 'b', 'c', 'd', 'e', 'f'])).toContain('which has a, b, c, d, e, …)');
    expect(words([])).toContain('(does not say its folder, which is empty)');
  });
});
