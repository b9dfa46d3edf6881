import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ownStamp, stampText } from '../../../src/core/processes/process-stamp.ts';
import { isRunningHere } from '../../../src/core/processes/running-builds.ts';
import { thisMachine } from '../../../src/store/this-machine.ts';
import { buildsSetup, FACTS, heardOn } from './builds-setup.ts';

const logOf = (home: string, id: string) => path.join(home, 'builds', `${id}.log`);

test('a build is kept with what it wrote, without secrets, and how it ended', async () => {
  const { home, store, reader, recorder } = buildsSetup();
  const before = Date.now();
  const recording = await recorder.begin({
    ...FACTS,
    repo: 'https://user:geheim12x@example.org/r.git',
    command: ['curl', '-H', 'Authorization: Bearer abcdef1234567890', '--token', 'tok3nvalue', 'http://x/a b'],
    env: { DEPLOY_TOKEN: 'rosebud-north', MODE: 'production' },
  });
  const { id } = recording;
  const begun = await reader.get(id);
  expect(begun).toMatchObject({
    id,
    projectId: 'p',
    branch: 'b',
    status: 'running',
    runner: stampText(ownStamp()),
    machine: thisMachine(home).id,
    host: thisMachine(home).host,
    endedMs: undefined,
  });
  expect(begun!.startedMs).toBeGreaterThanOrEqual(before);
  expect(begun!.repo).not.toContain('geheim12x');
  expect(begun!.command).toMatch(/^curl -H /);
  expect(begun!.command).not.toMatch(/abcdef1234567890|tok3nvalue/);
  void recording.write('building in production\ndeploying with rose', 0);
  void recording.write('warning\n', 1);
  void recording.write('bud-north\n\u001b[32mdone\u001b[0m ghp_', 0);
  void recording.write(`${'a1B2'.repeat(9)}`, 0);
  expect(isRunningHere(id)).toBe(true);
  await recording.end({ status: 'failed', exitCode: 3, note: 'why' });
  expect(isRunningHere(id)).toBe(false);
  expect(readFileSync(logOf(home, id), 'utf8')).toBe(
    'building in production\nwarning\ndeploying with [secret]\ndone [redacted:github-token]\n[viaduct: why]\n',
  );
  const ended = await store.get(id);
  expect(ended).toMatchObject({ status: 'failed', exitCode: 3, logFault: undefined });
  expect(ended!.endedMs).toBeGreaterThanOrEqual(ended!.startedMs);
  // Nothing comes behind the end.
  expect(recording.write('late\n', 0)).toBeUndefined();
  await recording.end({ status: 'success' });
  expect(await store.get(id)).toEqual(ended);
});

test('what is written is there after a short pause, and told to those who watch', async () => {
  const { home, live, recorder } = buildsSetup();
  const recording = await recorder.begin(FACTS);
  const heard = heardOn(live, `build:${recording.id}`);
  void recording.write('one\ntw', 0);
  await expect.poll(() => readFileSync(logOf(home, recording.id), 'utf8')).toBe('one\n');
  void recording.write('o\n', 0);
  await recording.end({ status: 'success', exitCode: 0 });
  expect(heard.map(({ type, data }) => [type, data])).toEqual([
    ['process_output', 'one\n'],
    ['process_output', 'two\n'],
    ['process_status', { status: 'success', exitCode: 0 }],
  ]);
});

test('whoever writes faster than the log waits for it', async () => {
  const { home, recorder } = buildsSetup({ bounds: { headBytes: 10_000, tailBytes: 100_000 } });
  const recording = await recorder.begin(FACTS);
  const line = `${'some words of a build '.repeat(9)}\n`;
  let waits = 0;
  for (let count = 0; count < 40; count++) {
    const room = recording.write(line.repeat(400), 0);
    if (room !== undefined) waits++;
    await room;
  }
  await recording.end({ status: 'success', exitCode: 0 });
  expect(waits).toBeGreaterThan(2);
  const kept = readFileSync(logOf(home, recording.id), 'utf8');
  expect(kept.length).toBeLessThan(112_000);
  expect(kept).toContain('are left out here');
});

test('the oldest builds are forgotten with their logs; nothing else is touched', async () => {
  const { home, store, recorder } = buildsSetup({ keep: 2 });
  const running = await recorder.begin(FACTS);
  const ids: string[] = [];
  for (let count = 0; count < 4; count++) {
    const recording = await recorder.begin(FACTS);
    void recording.write('x\n', 0);
    if (count === 0) writeFileSync(path.join(home, 'builds', 'notes.txt'), 'mine');
    await recording.end({ status: 'success', exitCode: 0 });
    ids.push(recording.id);
  }
  const names = new Set(readdirSync(path.join(home, 'builds')));
  expect(names).toEqual(new Set(['notes.txt', ...[running.id, ...ids.slice(2)].map((id) => `${id}.log`)]));
  expect((await store.list({ limit: 10 })).map(({ id }) => id)).toEqual([ids[3], ids[2], running.id]);
  await running.end({ status: 'cancelled' });
});

test('a build without a database is not begun', async () => {
  const { home, database, recorder } = buildsSetup();
  await database.close();
  await expect(recorder.begin(FACTS)).rejects.toThrow();
  expect(existsSync(path.join(home, 'builds'))).toBe(false);
});
