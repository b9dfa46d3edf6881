import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../../src/store/database/database.ts';
import { openEventStore } from '../../../../src/store/events/open-event-store.ts';
import { createLog } from '../../../../src/telemetry/log.ts';
import { dailyFile } from '../../../../src/workflows/metrics/daily-files.ts';
import { metricLine, toStored } from '../../../../src/workflows/metrics/metric-event.ts';
import { Retention } from '../../../../src/workflows/metrics/retention.ts';
import { localDay } from '../../../../src/workflows/metrics/timestamp.ts';
import { temporaryFolder } from '../../../support/gateway.ts';

const DAY_MS = 86_400_000;

/** A store with an event of now, one that is three days old and one that is eight, and a retention of a week. */
async function setup(more: { readonly hasFiles?: boolean } = {}) {
  const home = temporaryFolder();
  // The clock has been watched before.
  writeFileSync(path.join(home, 'clock.json'), JSON.stringify({ trusted: Date.now() }));
  const folder = path.join(home, 'days');
  const database = openDatabase({ home });
  onTestFinished(() => database.close());
  const store = openEventStore({ database, home });
  const lines: any[] = [];
  const log = createLog({ level: 'info', destination: { write: (line) => lines.push(JSON.parse(line)) } });
  const events = [0, 3, 8].map((days) => ({
    type: `${days} days`,
    timestamp: new Date(Date.now() - days * DAY_MS).toISOString(),
  }));
  await store.add(events.map(toStored));
  const options = { store, keepDays: 7, folder: more.hasFiles === true ? folder : undefined, log };
  const newRetention = () => new Retention(options);
  const left = async () => (await store.newest({ kind: 'metric' }, 10)).map(({ type }) => type);
  return { folder, lines, newRetention, store, left, oldest: events[2]! };
}

test('what is older than it is kept goes once something is recorded', async () => {
  const { newRetention, left, folder } = await setup();
  expect(await left()).toHaveLength(3);
  newRetention().onRecorded();
  await expect.poll(left).toEqual(['0 days', '3 days']);
  expect(existsSync(folder)).toBe(false);
});

test('what is in no file of a day is written there first, once', async () => {
  const { newRetention, left, folder, oldest } = await setup({ hasFiles: true });
  newRetention().onRecorded();
  await expect.poll(left).toEqual(['0 days', '3 days']);
  const file = dailyFile(folder, localDay(Date.parse(oldest.timestamp)));
  expect(readdirSync(folder)).toEqual([path.basename(file)]);
  expect(readFileSync(file, 'utf8')).toBe(`${metricLine(oldest)}\n`);
});

test('what has its line already gets no second one', async () => {
  const { newRetention, left, folder, oldest } = await setup({ hasFiles: true });
  mkdirSync(folder);
  const file = dailyFile(folder, localDay(Date.parse(oldest.timestamp)));
  writeFileSync(file, `${metricLine(oldest)}\n`);
  newRetention().onRecorded();
  await expect.poll(left).toEqual(['0 days', '3 days']);
  expect(readFileSync(file, 'utf8')).toBe(`${metricLine(oldest)}\n`);
});

test('of several gateways that find the same to be written one writes it', async () => {
  const { newRetention, store, left, folder, oldest } = await setup({ hasFiles: true });
  const timestamp = new Date(Date.parse(oldest.timestamp) - 90 * DAY_MS).toISOString();
  const many = Array.from({ length: 1_500 }, (_, index) => ({ type: `${index}`, timestamp }));
  await store.add(many.map(toStored));
  const retentions = [newRetention(), newRetention(), newRetention()];
  for (const retention of retentions) retention.onRecorded();
  await expect.poll(left).toEqual(['0 days', '3 days']);
  await Promise.all(retentions.map((retention) => retention.stop()));
  const lines = readdirSync(folder).flatMap((name) => readFileSync(path.join(folder, name), 'utf8').trim().split('\n'));
  expect(lines.toSorted()).toEqual([oldest, ...many].map(metricLine).toSorted());
});

test('nothing goes while the files cannot be written, and the log says so', async () => {
  const { newRetention, left, folder, lines } = await setup({ hasFiles: true });
  writeFileSync(folder, 'a file where the folder should be');
  newRetention().onRecorded();
  await expect.poll(() => lines.map(({ msg }) => msg)).toEqual(['old events cannot be removed now']);
  expect(await left()).toHaveLength(3);
  rmSync(folder);
  newRetention().onRecorded();
  await expect.poll(left).toHaveLength(2);
});

test('what is under way ends with the workflow, and nothing is begun after that', async () => {
  const { newRetention, left, lines } = await setup({ hasFiles: true });
  const retention = newRetention();
  retention.onRecorded();
  await retention.stop();
  retention.onRecorded();
  await retention.stop();
  expect(await left()).toHaveLength(3);
  expect(lines).toEqual([]);
});
