import { appendFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { importMetrics } from '../../../../src/commands/metrics/import-metrics.ts';
import type { EventStore } from '../../../../src/core/stores/event-store.ts';
import { openDatabase } from '../../../../src/store/database/database.ts';
import { openEventStore } from '../../../../src/store/events/open-event-store.ts';
import { appendLines } from '../../../../src/workflows/metrics/daily-files.ts';
import { exportMetrics } from '../../../../src/workflows/metrics/export-metrics.ts';
import { keyOf, type MetricEvent, metricLine, toStored } from '../../../../src/workflows/metrics/metric-event.ts';
import { temporaryFolder } from '../../../support/gateway.ts';
import { metricEvents } from '../../../support/stores/metric-events.ts';

afterEach(() => vi.unstubAllEnvs());

function newStore(): EventStore {
  const home = temporaryFolder();
  const database = openDatabase({ home });
  onTestFinished(() => database.close());
  return openEventStore({ database, home });
}

function newFolder(parent: string): string {
  const folder = path.join(parent, String(readdirSync(parent).length));
  mkdirSync(folder);
  return folder;
}

function linesIn(folder: string): string[] {
  const texts = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'));
  return texts.flatMap((text) => text.split('\n').filter((line) => line !== ''));
}

function event(type: string, timestamp = '2026-02-20T12:00:00Z'): MetricEvent {
  return { type, timestamp };
}

async function isEmptied(store: EventStore): Promise<void> {
  await store.prune('metric', Number.MAX_SAFE_INTEGER);
}

test('lines that are written at the same time stay whole, however long they are', async () => {
  const file = path.join(temporaryFolder(), '2026-02-20.jsonl');
  const long = Array.from({ length: 8 }, (_, index) => ({
    ...event('long'),
    data: { text: `${index}`.repeat(900_000) },
  }));
  await Promise.all(long.map((one) => appendLines(file, [metricLine(one)])));
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  expect(lines.toSorted()).toEqual(long.map(metricLine));
});

test('what is exported comes back as it was, and is known where it was before', async () => {
  const [from, to] = [newStore(), newStore()];
  const parent = temporaryFolder();
  await fc.assert(
    fc.asyncProperty(fc.array(metricEvents, { maxLength: 30 }), async (events) => {
      await Promise.all([isEmptied(from), isEmptied(to)]);
      const added = await from.add(events.map(toStored));
      const folder = newFolder(parent);
      expect(await exportMetrics(from, folder)).toMatchObject({ exported: added, known: 0 });
      const lines = linesIn(folder);
      expect(lines.toSorted()).toEqual(
        [...new Map(events.map((one) => [keyOf(one), metricLine(one)])).values()].sort(),
      );

      expect(await importMetrics(from, folder)).toMatchObject({ imported: 0, known: added, malformed: 0 });
      expect(await importMetrics(to, folder)).toMatchObject({ imported: added, known: 0, malformed: 0 });
      expect(await exportMetrics(to, folder)).toMatchObject({ exported: 0, known: added, files: 0 });
      expect(linesIn(folder)).toEqual(lines);
    }),
    { numRuns: 30 },
  );
});

test('lines that others have written stay, word for word, and only what is missing is added', async () => {
  const parent = temporaryFolder();
  const foreign = fc.constantFrom(
    'no json',
    '{"type":"theirs"}',
    '',
    '{"timestamp":"2026-02-20T12:00:00Z","type":"theirs" }',
  );
  const store = newStore();
  await fc.assert(
    fc.asyncProperty(fc.array(foreign), fc.boolean(), fc.nat(4), async (theirs, isEnded, ours) => {
      await isEmptied(store);
      const folder = newFolder(parent);
      const file = path.join(folder, '2026-02-20.jsonl');
      const before = `${theirs.join('\n')}${isEnded ? '\n' : ''}`;
      writeFileSync(file, before);
      await store.add(Array.from({ length: ours }, (_, index) => toStored(event(`ours ${index}`))));
      expect(await exportMetrics(store, folder)).toMatchObject({ exported: ours });
      const text = readFileSync(file, 'utf8');
      expect(text.startsWith(before)).toBe(true);
      const added = text
        .slice(before.length)
        .split('\n')
        .filter((line) => line !== '');
      expect(added.map((line) => (JSON.parse(line) as MetricEvent).type)).toEqual(
        Array.from({ length: ours }, (_, index) => `ours ${index}`),
      );
      await importMetrics(store, folder);
      expect(await exportMetrics(store, folder)).toMatchObject({ exported: 0 });
    }),
    { numRuns: 40 },
  );
});

test('malformed lines are left out, counted and named, the first ten of them', async () => {
  const store = newStore();
  const folder = temporaryFolder();
  const good = metricLine(event('good'));
  writeFileSync(path.join(folder, '2026-02-19.jsonl'), `${good}\r\n\n  \nbad\n`);
  writeFileSync(path.join(folder, '2026-02-20.jsonl'), `${'bad\n'.repeat(20)}${'x'.repeat(1_100_000)}\n${good}\n`);
  for (const name of ['2026-02-20.jsonl.bak', 'notes.txt', '26-02-20.jsonl']) {
    writeFileSync(path.join(folder, name), 'bad\n');
  }
  const report = await importMetrics(store, folder);
  expect(report).toMatchObject({ files: 2, imported: 1, known: 1, malformed: 22 });
  expect(report.malformedLines).toEqual([
    '2026-02-19.jsonl:4',
    ...Array.from({ length: 9 }, (_, index) => `2026-02-20.jsonl:${index + 1}`),
  ]);
});

test('a line that is half written is taken over once it is whole', async () => {
  const store = newStore();
  const folder = temporaryFolder();
  const file = path.join(folder, '2026-02-20.jsonl');
  const line = metricLine(event('late'));
  writeFileSync(file, line.slice(0, 20));
  expect(await importMetrics(store, folder)).toMatchObject({ imported: 0, malformed: 1 });
  appendFileSync(file, line.slice(20));
  expect(await importMetrics(store, folder)).toMatchObject({ imported: 1, malformed: 0 });
});

test('only what was recorded from a time on is exported', async () => {
  const store = newStore();
  const folder = temporaryFolder();
  await store.add([event('old', '2026-02-20T11:59:59.999Z'), event('new')].map(toStored));
  const since = Date.UTC(2026, 1, 20, 12);
  expect(await exportMetrics(store, folder, { since })).toMatchObject({ exported: 1, files: 1 });
  expect(linesIn(folder)).toEqual([metricLine(event('new'))]);
});

test('many events are exported in the order of time, whatever the order in which they came', async () => {
  const store = newStore();
  const folder = temporaryFolder();
  const minute = (index: number) => new Date(Date.UTC(2026, 1, 20, 12) + index * 60_000).toISOString();
  const events = Array.from({ length: 3_000 }, (_, index) => event(String(index), minute((index * 7) % 3_000)));
  await store.add(events.map(toStored));
  expect(await exportMetrics(store, folder)).toMatchObject({ exported: 3_000 });
  const timestamps = linesIn(folder).map((line) => (JSON.parse(line) as MetricEvent).timestamp);
  expect(timestamps).toEqual(timestamps.toSorted());
});

test.skipIf(process.platform !== 'linux')('where the disk is full the file is named', async () => {
  const file = path.join(temporaryFolder(), '2026-02-20.jsonl');
  symlinkSync('/dev/full', file);
  await expect(appendLines(file, [metricLine(event('a'))])).rejects.toThrow(`${file} cannot be written: ENOSPC`);
});

test('where there is no folder nothing is imported', async () => {
  const folder = path.join(temporaryFolder(), 'none');
  expect(await importMetrics(newStore(), folder)).toMatchObject({ files: 0, imported: 0 });
});

test('an event is exported once, however far apart the time zones of two exports are', async () => {
  const store = newStore();
  const folder = newFolder(temporaryFolder());
  await store.add([event('far', '2026-01-01T11:30:00Z')].map(toStored));
  for (const [zone, exported] of [
    ['Etc/GMT+12', 1],
    ['Pacific/Kiritimati', 0],
  ] as const) {
    vi.stubEnv('TZ', zone);
    expect(await exportMetrics(store, folder)).toMatchObject({ exported });
  }
  expect(readdirSync(folder)).toEqual(['2025-12-31.jsonl']);
});
