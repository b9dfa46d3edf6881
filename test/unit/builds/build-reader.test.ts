import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ownStamp, stampText } from '../../../src/core/processes/process-stamp.ts';
import { thisMachine } from '../../../src/store/this-machine.ts';
import { buildsSetup, FACTS } from './builds-setup.ts';

/** A build as another process has left it in the database, with a log that was written at that time. */
async function leftBuild(
  { home, store }: Pick<ReturnType<typeof buildsSetup>, 'home' | 'store'>,
  { runner, machine, signMs }: { runner: string; machine?: string; signMs?: number },
): Promise<string> {
  const id = randomUUID();
  const { id: here, host } = thisMachine(home);
  const { command: _command, env: _env, ...names } = FACTS;
  await store.start({
    ...names,
    command: 'make',
    id,
    runner,
    machine: machine ?? here,
    host,
    startedMs: Date.now() - 3_600_000,
  });
  if (signMs !== undefined) {
    mkdirSync(path.join(home, 'builds'), { recursive: true });
    const file = path.join(home, 'builds', `${id}.log`);
    writeFileSync(file, 'last words\n');
    utimesSync(file, signMs / 1_000, signMs / 1_000);
  }
  return id;
}

const elsewhere = () => stampText({ ...ownStamp(), place: '00000000' });

test('a build whose gateway has gone is lost, since its log was written last', async () => {
  const setup = buildsSetup();
  const { pid } = spawnSync('true');
  const signMs = Date.now() - 60_000;
  const id = await leftBuild(setup, { runner: stampText({ ...ownStamp(), pid }), signMs });
  expect(await setup.reader.get(id)).toMatchObject({ status: 'lost', endedMs: signMs, exitCode: undefined });
  expect(await setup.store.get(id)).toMatchObject({ status: 'lost' });
  const other = await leftBuild(setup, { runner: stampText({ ...ownStamp(), startedAt: '1' }) });
  expect((await setup.reader.list({ limit: 10 })).map((build) => [build.id, build.status])).toEqual([
    [other, 'lost'],
    [id, 'lost'],
  ]);
});

test('a build that this process has given up is lost; one that it runs is not', async () => {
  const setup = buildsSetup();
  const id = await leftBuild(setup, { runner: stampText(ownStamp()) });
  expect(await setup.reader.get(id)).toMatchObject({ status: 'lost' });
  const recording = await setup.recorder.begin(FACTS);
  expect(await setup.reader.get(recording.id)).toMatchObject({ status: 'running' });
  await recording.end({ status: 'success', exitCode: 0 });
});

test('where a process cannot be seen, its build runs as long as it gives signs', async () => {
  const setup = buildsSetup();
  const silent = await leftBuild(setup, { runner: elsewhere(), signMs: Date.now() - 600_000 });
  const alive = await leftBuild(setup, { runner: elsewhere(), signMs: Date.now() - 60_000 });
  const farAway = await leftBuild(setup, { runner: elsewhere(), machine: 'far' });
  expect(await setup.reader.get(silent)).toMatchObject({ status: 'lost' });
  expect(await setup.reader.get(alive)).toMatchObject({ status: 'running' });
  expect(await setup.reader.get(farAway)).toMatchObject({ status: 'running' });
});

test('the newest lines of a log are read', async () => {
  const { home, reader, recorder } = buildsSetup();
  const recording = await recorder.begin(FACTS);
  void recording.write('one\ntwo\nthree\n', 0);
  await recording.end({ status: 'success', exitCode: 0 });
  const build = (await reader.get(recording.id))!;
  expect(await reader.logs(build, 2)).toEqual(['two', 'three']);
  expect(await reader.logs({ ...build, logFault: 'it is full' }, 2)).toEqual(['three', '[viaduct: it is full]']);
  rmSync(path.join(home, 'builds', `${recording.id}.log`));
  await expect(reader.logs(build, 2)).rejects.toThrow(/log of the build .* cannot be read: ENOENT/);
  await expect(reader.logs({ ...build, machine: 'far', host: 'build-box' }, 2)).rejects.toThrow(
    /is on another machine, build-box/,
  );
});
