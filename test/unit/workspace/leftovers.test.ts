import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, realpathSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { entriesOf } from '../../../src/workflows/files/tools/directory-entries.ts';
import { unfinishedName } from '../../../src/workspace/leftovers.ts';
import { temporaryFolder } from '../../support/gateway.ts';
import { GROUNDS, workspaceSetup } from './workspace-setup.ts';

const HOUR_AGO = new Date(Date.now() - 3_600_000);
/** Of a process that has ended. */
const GONE = spawnSync(process.execPath, ['--version']).pid;
const nameOf = (pid: number, digit = 'a') => `.viaduct-${pid}-${digit.repeat(18)}.tmp`;

function leave(folder: string, name: string, at = HOUR_AGO): void {
  writeFileSync(path.join(folder, name), 'half');
  utimesSync(path.join(folder, name), at, at);
}

/** As a gateway leaves it that is killed while it writes a file in that folder. */
async function begin({ store, root }: ReturnType<typeof workspaceSetup>, folder: string): Promise<void> {
  const after = { kind: 'file', mode: 0o644, size: 1 } as const;
  const part = { kind: 'put', path: path.join(root, folder, 'file'), before: { kind: 'missing' }, after } as const;
  await store.add({ session: 'other', tool: 'write', roots: [root], parts: [part] });
}

describe.each(GROUNDS)('what killed gateways have left (%s)', (_name, ground) => {
  test('goes with the next change, wherever they were writing', async () => {
    const setup = workspaceSetup({ ground });
    mkdirSync(path.join(setup.root, 'deep/er'), { recursive: true });
    leave(path.join(setup.root, 'deep/er'), nameOf(GONE));
    await begin(setup, 'deep/er');
    await begin(setup, 'not/there');
    await setup.write('elsewhere.txt', 'x');
    expect(readdirSync(path.join(setup.root, 'deep/er'))).toEqual([]);
    expect(setup.errors).toEqual([]);
  });

  test('stays where another machine with the same database was writing', async () => {
    const root = realpathSync(temporaryFolder());
    const home = temporaryFolder();
    const other = workspaceSetup({ ground, root, home, machine: temporaryFolder() });
    mkdirSync(path.join(root, 'theirs'));
    leave(path.join(root, 'theirs'), nameOf(GONE));
    await begin(other, 'theirs');
    await workspaceSetup({ ground, root, home }).write('elsewhere.txt', 'x');
    expect(readdirSync(path.join(root, 'theirs'))).toEqual([nameOf(GONE)]);
    await other.write('elsewhere.txt', 'y');
    expect(readdirSync(path.join(root, 'theirs'))).toEqual([]);
  });

  test('stays where it may be in use, or is none of ours', async () => {
    const setup = workspaceSetup({ ground });
    const stays = [`${nameOf(GONE)}.txt`, '.viaduct-notes.tmp', `x${nameOf(GONE)}`, nameOf(process.ppid)];
    for (const name of stays) leave(setup.root, name);
    leave(setup.root, nameOf(GONE, 'b'), new Date());
    leave(setup.root, nameOf(process.pid, 'b'), new Date());
    leave(setup.root, nameOf(GONE, 'c'));
    leave(setup.root, nameOf(process.pid, 'c'), new Date(Date.now() - 30 * 86_400_000));
    symlinkSync('nowhere', path.join(setup.root, nameOf(GONE, 'd')));
    mkdirSync(path.join(setup.root, nameOf(GONE, 'e')));
    await begin(setup, '.');
    await setup.write('z', 'x');
    const links = [nameOf(GONE, 'd'), nameOf(GONE, 'e')];
    expect(readdirSync(setup.root).sort()).toEqual(
      [...stays, nameOf(GONE, 'b'), nameOf(process.pid, 'b'), ...links, 'z'].sort(),
    );
  });

  test('keeps no folder that looks empty from being deleted', async () => {
    const { root, makeFolder, remove, undo } = workspaceSetup({ ground });
    await makeFolder('a');
    leave(path.join(root, 'a'), nameOf(GONE));
    await remove('a');
    expect(readdirSync(root)).toEqual([]);
    await undo();
    leave(path.join(root, 'a'), nameOf(GONE));
    leave(path.join(root, 'a'), 'mine');
    await expect(remove('a')).rejects.toMatchObject({ code: 'FILE_FAILED' });
    expect(readdirSync(path.join(root, 'a'))).toEqual(['mine']);
  });
});

test('is not listed, and nothing else is left out', async () => {
  const { root, sandbox } = workspaceSetup();
  for (const name of [nameOf(GONE), unfinishedName(), '.viaduct-notes.tmp', 'a']) leave(root, name);
  expect((await entriesOf(sandbox, '.')).entries.map(({ name }) => name)).toEqual(['.viaduct-notes.tmp', 'a']);
});
