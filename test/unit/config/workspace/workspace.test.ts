// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the references of a config
import path from 'node:path';
import { expect, test } from 'vitest';
import { issuesOf, parse } from '../parse-text.ts';

const UNDO = { changes: 1000, megabytes: 256, fileMegabytes: 64 };

test('without the section each client has its own folder', () => {
  expect(parse('schemaVersion: 1').workspace).toEqual({ roots: [], clientFolders: [], unprotected: [], undo: UNDO });
});

test('one folder is seen from the folder of the config, or of the user', () => {
  expect(parse('{ schemaVersion: 1, workspace: { root: ./app } }').workspace.roots).toEqual([
    { folder: path.resolve('/home/me/project/app') },
  ]);
  expect(parse('{ schemaVersion: 1, workspace: { root: "${HERE}/x" } }', { env: { HERE: '/h' } }).workspace).toEqual({
    roots: [{ folder: path.resolve('/h/x') }],
    clientFolders: [],
    unprotected: [],
    undo: UNDO,
  });
});

test('globs of paths that are not protected are texts of at most 256 characters', () => {
  expect(parse('{ schemaVersion: 1, workspace: { unprotected: [".vscode/*"] } }').workspace.unprotected).toEqual([
    '.vscode/*',
  ]);
  expect(issuesOf('{ schemaVersion: 1, workspace: { unprotected: [""] } }')).toHaveLength(1);
  expect(issuesOf(`{ schemaVersion: 1, workspace: { unprotected: [${'x'.repeat(257)}] } }`)).toHaveLength(1);
});

test('folders for clients over HTTP are seen from the same places', () => {
  const { workspace } = parse('{ schemaVersion: 1, workspace: { clientFolders: [./app, ~/work, "${HERE}"] } }', {
    env: { HERE: '/h', HOME: '/home/me' },
  });
  expect(workspace.clientFolders).toEqual(['/home/me/project/app', '/home/me/work', '/h'].map((f) => path.resolve(f)));
  expect(issuesOf('{ schemaVersion: 1, workspace: { clientFolders: [""] } }')).toHaveLength(1);
});

test('several folders keep their names and order', () => {
  const { workspace } = parse('{ schemaVersion: 1, workspace: { roots: { web: /w, app.2: ~/a } } }', {
    env: { HOME: '/home/me' },
  });
  expect(workspace.roots).toEqual([
    { name: 'web', folder: path.resolve('/w') },
    { name: 'app.2', folder: path.resolve('/home/me/a') },
  ]);
});

test.each([
  ['root: ""', 'workspace.root: must not be empty'],
  ['root: "${NOPE}"', 'workspace.root: the variable NOPE is not set'],
  ['root: [a]', 'workspace.root: '],
  ['{ root: /a, roots: { b: /b } }', 'workspace.roots: there is `root` already -> put it into `roots`, under a name'],
  ['roots: {}', 'workspace.roots: must not be empty -> roots: { app: ./app }'],
  ['roots: { ../a: /a }', 'workspace.roots["../a"]: '],
  ['roots: { a.: /a }', 'workspace.roots["a."]: '],
  ['roots: { app: /a, App: /b }', 'workspace.roots.App: differs from "app" in case only'],
  ['undo: { changes: 0 }', 'workspace.undo.changes: must be a whole number from 1 to 100000'],
  ['undo: { megabytes: 10 }', 'workspace.undo.megabytes: fileMegabytes (64) must not be more than megabytes (10)'],
  [
    'undo: { fileMegabytes: 300 }',
    'workspace.undo.fileMegabytes: fileMegabytes (300) must not be more than megabytes (256)',
  ],
  ['undo: { files: 3 }', 'workspace.undo.files: '],
])('{ %s } is refused', (section, expected) => {
  const text = `schemaVersion: 1\nworkspace: ${section.startsWith('{') ? section : `{ ${section} }`}`;
  expect(issuesOf(text).join('\n')).toContain(expected);
});
