import { describe, expect, test } from 'vitest';
import { idsOfRemote } from '../../../../src/projects/identity/project-id.ts';
import { resolveProject } from '../../../../src/projects/identity/resolve-project.ts';
import { openCheckpointStore } from '../../../../src/store/checkpoints/open-checkpoint-store.ts';
import { openDatabase } from '../../../../src/store/database/database.ts';
import { rememberedIdentities } from '../../../support/auth/identities.ts';
import { temporaryFolder } from '../../../support/gateway.ts';
import { GIT_ENV, git, newRepository } from '../../../support/git-repository.ts';

const addressOf = (name: string) => `git@github.com:${name}.git`;
const idsOf = (name: string) => idsOfRemote(`github.com/${name}`, 'main');
const ALIKE = ['acme/foo-bar', 'acme-foo/bar', 'acme/foo.bar', 'acme/foo/bar'];
/** The one id of all of them, once. */
const SHARED = idsOf('acme/foo-bar').readable;

type Store = Parameters<typeof resolveProject>[0]['store'];

async function idIn(folder: string, store: Store): Promise<string> {
  const found = await resolveProject({ cwd: folder, store, env: GIT_ENV, home: '/home/nobody' });
  return found.projectId;
}

describe('repositories whose remotes have the same readable id', () => {
  test('are different projects', async () => {
    const store = rememberedIdentities();
    const ids: string[] = [];
    for (const name of ALIKE) ids.push(await idIn(newRepository({ remote: addressOf(name) }), store));
    expect(ids).toEqual([SHARED, ...ALIKE.slice(1).map((name) => idsOf(name).hashed)]);
    expect(new Set(ids).size).toBe(4);
  });

  test.each(ALIKE)('leave the checkpoints under that id to %s, with whose remote they were saved', async (owner) => {
    const store = rememberedIdentities([SHARED], { [SHARED]: addressOf(owner) });
    for (const name of ALIKE) {
      const expected = name === owner ? SHARED : idsOf(name).hashed;
      const folder = newRepository({ remote: addressOf(name) });
      expect(await idIn(folder, store), name).toBe(expected);
      expect(await idIn(folder, store), name).toBe(expected);
    }
  });

  test('are told apart where all of them have been known by that id', async () => {
    const first = rememberedIdentities();
    const folders = ALIKE.map((name) => newRepository({ remote: addressOf(name) }));
    for (const folder of folders) await idIn(folder, first);
    const store = rememberedIdentities([SHARED], { [SHARED]: addressOf('acme-foo/bar') });
    for (const key of first.known.keys()) store.known.set(key.replace(/^remote:/, ''), SHARED);
    const ids: string[] = [];
    for (const folder of folders) ids.push(await idIn(folder, store));
    expect(ids).toEqual(ALIKE.map((name) => (name === 'acme-foo/bar' ? SHARED : idsOf(name).hashed)));
  });

  test('find checkpoints that were saved without a remote, as before', async () => {
    for (const name of ALIKE) {
      const store = rememberedIdentities([SHARED]);
      expect(await idIn(newRepository({ remote: addressOf(name) }), store)).toBe(SHARED);
    }
  });

  test('stay with the id that has a hash once something is saved under it', async () => {
    const { hashed } = idsOf('acme/foo-bar');
    const store = rememberedIdentities([SHARED, hashed]);
    expect(await idIn(newRepository({ remote: addressOf('acme/foo-bar') }), store)).toBe(hashed);
  });

  test('keep their checkpoints when the remote gets another name', async () => {
    const folder = newRepository({ remote: addressOf('acme/foo.bar') });
    const saved: string[] = [];
    const store = rememberedIdentities(saved);
    const id = await idIn(folder, store);
    saved.push(id);
    git(folder, 'remote', 'set-url', 'origin', addressOf('acme/renamed'));
    expect(await idIn(folder, store)).toBe(id);
    const other = idsOf('acme/other').readable;
    const known = rememberedIdentities([other], { [other]: addressOf('acme/other') });
    for (const key of store.known.keys()) known.known.set(key.replace(/^remote:/, ''), other);
    expect(await idIn(folder, known)).toBe(other);
  });

  test('do not merge what is saved in them, in a store of before', async () => {
    const database = openDatabase({ home: temporaryFolder() });
    const store = openCheckpointStore({ database });
    const [one = '', other = ''] = ['acme/foo-bar', 'acme-foo/bar'].map((name) =>
      newRepository({ remote: addressOf(name) }),
    );
    const save = (id: string, name: string) =>
      store.update(id, { sourceIde: 'cursor', kind: 'save' }, () => ({
        bundle: { name, git: { remote: addressOf(name) } },
        outcome: undefined,
      }));
    await save(SHARED, 'acme-foo/bar');
    await save(await idIn(one, store), 'acme/foo-bar');
    await save(await idIn(other, store), 'acme-foo/bar');
    expect((await store.load(await idIn(one, store)))?.bundle.name).toBe('acme/foo-bar');
    expect((await store.load(await idIn(other, store)))?.bundle.name).toBe('acme-foo/bar');
    expect((await store.load(SHARED))?.revision).toBe(2);
    await store.close();
    await database.close();
  });
});
