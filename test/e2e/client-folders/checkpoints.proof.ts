import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { idsOfRemote } from '../../../src/projects/identity/project-id.ts';
import { connectStdio, writeConfig } from '../../support/gateway.ts';
import { shared } from '../../support/shared.ts';
import { COMERS, newPlace, newRepository, SECRET } from './scene.ts';

const CHECKPOINTS = { enabledWorkflows: ['checkpoint'], workflows: { checkpoint: { git: 'diffs', debounceMs: 0 } } };
const SAVE = { source_ide: 'cursor', bundle_patch: { plan_steps: ['a'] }, force: true };
const REFUSED = /is not open to clients that come over HTTP: .*workspace\.clientFolders/;

describe('a client that comes over HTTP and names a folder for its checkpoints', () => {
  const scene = shared(async () => {
    const place = await newPlace(CHECKPOINTS);
    const { open, closed } = place;
    symlinkSync(closed, path.join(open, 'link'));
    mkdirSync(path.join(open, 'planted'));
    writeFileSync(path.join(open, 'planted/.git'), `gitdir: ${path.join(closed, '.git')}\n`);
    mkdirSync(path.join(open, 'shared/objects'), { recursive: true });
    mkdirSync(path.join(open, 'shared/.git'));
    writeFileSync(path.join(open, 'shared/.git/HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(path.join(open, 'shared/.git/commondir'), `${path.join(closed, '.git')}\n`);
    /** Ways to the closed repository. */
    const detours = {
      'its path': closed,
      'a folder below it': path.join(closed, 'src'),
      'dots after an open folder': `${open}/src/../../closed`,
      'a link in an open folder': path.join(open, 'link'),
      'a .git file in an open folder': path.join(open, 'planted'),
      'a commondir in an open folder': path.join(open, 'shared'),
    };
    return { place, detours };
  });

  describe.each(COMERS)('$name', (comer) => {
    const ways = (folder: string) => ({
      'X-Viaduct-Cwd': { headers: { 'X-Viaduct-Cwd': encodeURIComponent(folder) } },
      _meta: { meta: { 'viaduct/cwd': folder } },
      'cwd in _meta': { meta: { cwd: folder } },
    });

    test('is refused with the folder and the config key, and nothing is saved', async () => {
      const { place, detours } = await scene();
      const projects = async () => JSON.stringify(JSON.parse(await place.call(comer, 'list_projects', {})).result);
      const before = await projects();
      for (const [detour, folder] of Object.entries(detours)) {
        for (const [way, told] of Object.entries(ways(folder))) {
          expect([detour, way, await place.call(comer, 'save_checkpoint', SAVE, told)]).toEqual([
            detour,
            way,
            expect.stringMatching(REFUSED),
          ]);
        }
        const asked = await place.call(comer, 'get_project_id', { cwd: folder });
        expect([detour, asked]).toEqual([detour, expect.stringMatching(REFUSED)]);
      }
      expect(await projects()).toBe(before);
    });

    test('gets no git state of it for a project that it names by its id', async () => {
      const { place } = await scene();
      // The project's own tools do not tell its name; a client that knows the name can use it.
      const id = idsOfRemote('example.org/closed', 'main').own;
      for (const told of Object.values(ways(place.closed))) {
        expect(await place.call(comer, 'save_checkpoint', { ...SAVE, project_id: id }, told)).toContain('saved');
        const loaded = await place.call(comer, 'load_checkpoint', { project_id: id });
        expect(loaded).toContain('plan_steps');
        expect(loaded).not.toContain(SECRET);
        expect(loaded).not.toContain('dirty_files');
      }
    });

    test('may name an open one', async () => {
      const { place } = await scene();
      for (const told of Object.values(ways(path.join(place.open, 'src'))))
        expect(await place.call(comer, 'save_checkpoint', SAVE, told)).toContain('saved');
      expect(await place.call(comer, 'load_checkpoint', {}, ways(place.open)._meta)).toContain('notes.txt');
      expect(await place.call(comer, 'get_project_id', { cwd: place.open })).toContain('example-org-open');
    });
  });
});

test('a folder is not open because it lies in a repository of which only a part is', async () => {
  const place = await newPlace(CHECKPOINTS, { root: 'closed/src', hasTokens: false });
  const asked = await place.call(COMERS[0]!, 'get_project_id', { cwd: path.join(place.closed, 'src') });
  expect(asked).toMatch(REFUSED);
  expect(asked).toContain(JSON.stringify(JSON.stringify(place.closed)).slice(1, -1));
});

test('a file that says what a project is called is not read outside of the open folders', async () => {
  const place = await newPlace(CHECKPOINTS, { hasTokens: false });
  mkdirSync(path.join(place.open, '.ide-bridge'));
  writeFileSync(path.join(place.top, 'key'), `${SECRET.toUpperCase()} !`);
  symlinkSync(path.join(place.top, 'key'), path.join(place.open, '.ide-bridge/project-id'));
  const asked = await place.call(COMERS[0]!, 'get_project_id', { cwd: place.open });
  expect(asked).not.toContain(SECRET.toUpperCase());
  expect(asked).toContain('example-org-open');
});

test('programs of this user name any folder over stdio', async () => {
  const place = await newPlace(CHECKPOINTS, { root: '', hasTokens: false });
  newRepository(path.join(place.top, 'third'));
  const client = await connectStdio(writeConfig(CHECKPOINTS));
  const { value } = await client.request('tools/call', {
    name: 'get_project_id',
    arguments: { cwd: path.join(place.top, 'third') },
  });
  expect(value.result.structuredContent.project_id).toContain('example-org-third');
});
