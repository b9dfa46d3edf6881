import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { GatewayError } from '../../../src/core/errors.ts';
import { removeFolder } from '../../support/folders.ts';
import { temporaryFolder } from '../../support/gateway.ts';
import { GROUNDS, LONG_STEPS, workspaceSetup } from './workspace-setup.ts';

const STEPS = 250;
const RUNS = LONG_STEPS / STEPS;
const FOLDER = Symbol('folder');

/** What is at each path. */
type Tree = ReadonlyMap<string, string | typeof FOLDER>;

interface Step {
  readonly kind: 'write' | 'append' | 'remove' | 'move' | 'folder' | 'undo';
  readonly at: string;
  readonly to: string;
  readonly content: string;
}

const place = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('write', 'append', 'append', 'remove', 'move', 'move', 'folder', 'undo', 'undo'),
  at: place,
  to: place,
  content: fc.string({ unit: 'grapheme', maxLength: 12 }),
});

const above = (at: string): string[] =>
  at
    .split('/')
    .slice(0, -1)
    .map((_name, index, names) => names.slice(0, index + 1).join('/'));
const isBelow = (at: string, folder: string) => at.startsWith(`${folder}/`);

/** What a step makes of a tree; nothing where it is refused. */
function after(tree: Tree, { kind, at, to, content }: Step): Tree | undefined {
  const here = tree.get(at);
  if (above(at).some((folder) => typeof tree.get(folder) === 'string')) return undefined;
  const withFolders = (more: string[]) => new Map([...tree, ...more.map((folder) => [folder, FOLDER] as const)]);
  switch (kind) {
    case 'write':
    case 'append':
      if (here === FOLDER) return undefined;
      return withFolders(above(at)).set(at, `${kind === 'append' ? (here ?? '') : ''}${content}`);
    case 'folder':
      return typeof here === 'string' ? undefined : withFolders([...above(at), at]);
    case 'remove':
      if (here === undefined || [...tree.keys()].some((other) => isBelow(other, at))) return undefined;
      return new Map([...tree].filter(([other]) => other !== at));
    case 'move': {
      if (at === to) return here === undefined ? undefined : tree;
      if (here === undefined || isBelow(to, at) || tree.get(to) === FOLDER) return undefined;
      if (above(to).some((folder) => tree.get(folder) !== FOLDER)) return undefined;
      if (here === FOLDER && tree.has(to)) return undefined;
      const stays = [...tree].filter(([other]) => other !== at && other !== to && !isBelow(other, at));
      const goes = [...tree].filter(([other]) => other === at || isBelow(other, at));
      return new Map([...stays, ...goes.map(([other, what]) => [`${to}${other.slice(at.length)}`, what] as const)]);
    }
    case 'undo':
      return undefined;
  }
}

const isSame = (one: Tree, other: Tree) =>
  one.size === other.size && [...one].every(([at, what]) => other.get(at) === what);

function onDisk(root: string): Tree {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  return new Map(
    entries.map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      return [path.relative(root, file), entry.isDirectory() ? FOLDER : readFileSync(file, 'utf8')];
    }),
  );
}

/** In memory where the system has that: what counts here is what is done, not the disk. */
function quickFolder(): string {
  if (!existsSync('/dev/shm')) return realpathSync(temporaryFolder());
  const folder = mkdtempSync('/dev/shm/viaduct-test-');
  onTestFinished(() => removeFolder(folder));
  return folder;
}

describe.each(GROUNDS)('with %s', (name, ground) => {
  const runs = name === 'paths' ? RUNS / 4 : RUNS;

  test('no file is lost, whatever is written, moved, removed and undone', async () => {
    let run = 0;
    const limits = { changes: 600, megabytes: 256, fileMegabytes: 1 };
    const [base, home] = [quickFolder(), quickFolder()];
    const { write, edit, remove, move, makeFolder, undo, store } = workspaceSetup({ ground, root: base, home, limits });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: STEPS, maxLength: STEPS, size: 'max' }), async (steps) => {
        const session = `run ${run++}`;
        const inRun = (at: string) => `${session}/${at}`;
        const root = path.join(base, session);
        await makeFolder(session);
        const undoable: Tree[] = [];
        let tree: Tree = new Map();
        for (const one of steps) {
          const { kind, at, to, content } = one;
          if (kind === 'undo') {
            const { restored, skipped } = await undo({ session, last: true });
            expect([restored.length, skipped]).toEqual([undoable.length === 0 ? 0 : 1, []]);
            tree = undoable.pop() ?? tree;
          } else {
            const next = after(tree, one);
            const work = {
              write: () => write(inRun(at), content, session),
              append: () => edit(inRun(at), (before) => before + content, session),
              remove: () => remove(inRun(at), session),
              move: () => move(inRun(at), inRun(to), session),
              folder: () => makeFolder(inRun(at), session),
            }[kind]();
            const outcome = await work.then(
              () => 'done',
              (error: unknown) => (error instanceof GatewayError ? error.code : error),
            );
            expect([kind, at, to, outcome]).toEqual([kind, at, to, next === undefined ? 'FILE_FAILED' : 'done']);
            if (next !== undefined && !isSame(next, tree)) undoable.push(tree);
            tree = next ?? tree;
          }
          expect(isSame(onDisk(root), tree)).toBe(true);
        }
      }),
      { numRuns: runs, endOnFailure: true },
    );
    const open = await store.list({ limit: 100_000 });
    expect(open.every(({ state }) => state !== 'begun')).toBe(true);
  }, 300_000);
});
