import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { CheckpointStore } from '../../../../src/core/stores/checkpoint-store.ts';
import type { NewEvent } from '../../../../src/core/stores/event-store.ts';
import { openCheckpointStore } from '../../../../src/store/checkpoints/open-checkpoint-store.ts';
import { openEventStore } from '../../../../src/store/events/open-event-store.ts';
import { openChangeStore } from '../../../../src/store/workspace/open-change-store.ts';
import { databases, type Kind } from '../../../support/stores/databases.ts';

const MOST = Number.MAX_SAFE_INTEGER;
/** Texts that a database may confuse or sort by the rules of a language. */
const TEXTS = [
  'a',
  'A',
  'a ',
  ' a',
  'B',
  '',
  ' ',
  'é',
  'e\u0301',
  'ß',
  'ss',
  'Z',
  '10',
  '9',
  '_',
  '-',
  '~',
  '%',
  "'",
  '\\',
];
/** Texts that UTF-8 or PostgreSQL does not have, and what is stored in their place. */
const BAD: readonly (readonly [string, string])[] = [
  ['a\0b', 'a\ufffdb'],
  ['\0', '\ufffd'],
  ['\ud800', '\ufffd'],
  ['x\udc00y', 'x\ufffdy'],
];
/** Too long for an index of PostgreSQL, which would compress a text that repeats itself. */
const longText = () => randomBytes(6_000).toString('base64');
const NUMBERS = [0, -0, -1, 1.5, 2 ** 31, 3_000_000_000, MOST, -MOST, 2 ** 63, 1e300, -1e300];
const NO_NUMBERS = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

/** The tests of one kind of database: SQLite's run with all others, PostgreSQL's with the proofs. */
export const edgeValuesSuite = (kind: Kind) =>
  describe(kind, () => {
    const { newPlace, open } = databases(kind);

    async function openAll(skip: () => never) {
      const place = await newPlace(skip);
      const limits = { changes: 100, megabytes: 1, fileMegabytes: 1 };
      return {
        checkpoints: open(place, (database) => openCheckpointStore({ database })).store,
        events: open(place, (database) => openEventStore({ database, home: place.home })).store,
        changes: open(place, (database) => openChangeStore({ database, home: place.home, limits })).store,
      };
    }

    test('has nothing under a revision or a change whose number it cannot have', async ({ skip }) => {
      const { checkpoints, changes } = await openAll(skip);
      await save(checkpoints, 'p');
      await changes.add({ session: 's', tool: 't', roots: [], parts: [] });
      for (const number of [...NUMBERS, ...NO_NUMBERS]) {
        expect(await checkpoints.load('p', number), `revision ${number}`).toBeUndefined();
        expect(await changes.get(number), `change ${number}`).toBeUndefined();
        expect(await changes.bytesOf(number), `bytes ${number}`).toBeUndefined();
      }
    });

    test('gives as much as there is where a limit is larger, and nothing where it is none', async ({ skip }) => {
      const { checkpoints, events, changes } = await openAll(skip);
      await save(checkpoints, 'p');
      await save(checkpoints, 'p');
      await events.add([metric('a'), metric('a')]);
      for (let count = 0; count < 2; count++) await changes.add({ session: 's', tool: 't', roots: [], parts: [] });
      const counts = async (limit: number) => [
        (await checkpoints.history('p', limit)).length,
        (await events.newest({ kind: 'metric' }, limit)).length,
        (await events.oldest({ kind: 'metric' }, limit)).length,
        (await events.after('metric', 0, limit)).length,
        (await changes.list({ limit })).length,
      ];
      for (const limit of [2, 2.5, 2 ** 31, MOST, 2 ** 63, 1e300, Number.POSITIVE_INFINITY])
        expect(await counts(limit), `limit ${limit}`).toEqual([2, 2, 2, 2, 2]);
      expect(await counts(1.9)).toEqual([1, 1, 1, 1, 1]);
      for (const limit of [0, 0.5, -1, -1e300, Number.NaN])
        expect(await counts(limit), `limit ${limit}`).toEqual([0, 0, 0, 0, 0]);
    });

    test('keeps and finds every time, and compares with any number', async ({ skip }) => {
      const { events } = await openAll(skip);
      // The first and the last are those of a `Date`.
      const times = [-8.64e15, -1, 0, 1, 2 ** 31, 8.64e15];
      await events.add(times.map((at) => metric(String(at), at)));
      const found = await events.oldest({ kind: 'metric' }, 100);
      expect(found.map(({ at }) => at)).toEqual(times.toSorted((a, b) => a - b));
      for (const number of [...NUMBERS, ...NO_NUMBERS.slice(1)]) {
        const since = await events.newest({ kind: 'metric', since: number }, 100);
        const until = await events.newest({ kind: 'metric', until: number }, 100);
        expect(since.length, `since ${number}`).toBe(times.filter((at) => at >= number).length);
        expect(until.length, `until ${number}`).toBe(times.filter((at) => at < number).length);
      }
      expect(await events.after('metric', MOST, 10)).toEqual([]);
      expect(await events.prune('metric', 0.5)).toBe(3);
      expect(await events.prune('metric', -1e300)).toBe(0);
      expect(await events.prune('metric', 1e300)).toBe(3);
    });

    test('tells texts from each other that look alike, and sorts them by their characters', async ({ skip }) => {
      const { checkpoints, events } = await openAll(skip);
      const at = '2026-01-01T00:00:00.000Z';
      for (const id of TEXTS) await save(checkpoints, id, id, at);
      const projects = await checkpoints.projects();
      expect(projects.map(({ projectId }) => projectId)).toEqual(TEXTS.toSorted());
      expect(projects.every(({ projectId, lastSourceIde }) => projectId === lastSourceIde)).toBe(true);
      for (const id of TEXTS) expect((await checkpoints.load(id))?.projectId).toBe(id);
      for (const folder of TEXTS) await checkpoints.rememberIdentity(folder, `of ${folder}`);
      for (const folder of TEXTS) expect(await checkpoints.identityOf(folder)).toBe(`of ${folder}`);

      await events.add(TEXTS.map((text) => metric(text, 1, { repo: text, agent: text, session: text, key: text })));
      expect((await events.countBy('repo', { kind: 'metric' })).map(({ key }) => key)).toEqual(TEXTS.toSorted());
      for (const repo of TEXTS) {
        const [event, ...others] = await events.newest({ kind: 'metric', repos: [repo] }, 10);
        expect([event, others]).toMatchObject([{ type: repo, repo, agent: repo, session: repo }, []]);
      }
      for (const id of TEXTS) expect(await checkpoints.remove(id)).toBe(true);
    });

    test('sorts projects by the time at which they were saved, the newest first', async ({ skip }) => {
      const { checkpoints } = await openAll(skip);
      for (const [id, day] of ['03', '01', '02'].entries())
        await save(checkpoints, `p${id}`, 'cursor', `2026-01-${day}T00:00:00.000Z`);
      expect((await checkpoints.projects()).map(({ projectId }) => projectId)).toEqual(['p0', 'p2', 'p1']);
    });

    test('has no project whose id cannot be stored, and says so when one is saved', async ({ skip }) => {
      const { checkpoints } = await openAll(skip);
      const ids = [...BAD.map(([text]) => text), longText()];
      for (const [, stored] of BAD) await save(checkpoints, stored);
      for (const id of ids) {
        expect(await checkpoints.load(id)).toBeUndefined();
        expect(await checkpoints.load(id, 1)).toBeUndefined();
        expect(await checkpoints.history(id, 10)).toEqual([]);
        expect(await checkpoints.prune(1, id)).toBe(0);
        expect(await checkpoints.remove(id)).toBe(false);
        await expect(save(checkpoints, id)).rejects.toMatchObject({
          code: 'INVALID_PARAMS',
          message: expect.stringContaining('project'),
        });
        await expect(checkpoints.rememberIdentity('/folder', id)).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
      }
      expect(await checkpoints.projects()).toHaveLength(new Set(BAD.map(([, stored]) => stored)).size);
    });

    test('keeps other texts but for the characters that it cannot have', async ({ skip }) => {
      const { checkpoints, events, changes } = await openAll(skip);
      for (const [text, stored] of BAD) {
        const saved = await checkpoints.update('p', { sourceIde: text, kind: text }, () => ({
          bundle: { text, [text]: text },
          outcome: undefined,
        }));
        expect(saved.stored).toMatchObject({ sourceIde: stored, bundle: { text, [text]: text } });
        expect(await checkpoints.load('p')).toEqual(saved.stored);
        expect(await checkpoints.history('p', 1)).toMatchObject([{ sourceIde: stored, kind: stored }]);

        await events.add([metric(text, 1, { agent: text, repo: text, session: text })]);
        const found = await events.newest({ kind: 'metric', repos: [text] }, 1);
        expect(found).toMatchObject([{ type: stored, agent: stored, repo: stored, session: stored }]);

        const path = `/r/${text}`;
        const missing = { kind: 'missing' } as const;
        const parts = [{ kind: 'put', path, before: missing, after: missing }] as const;
        const id = await changes.add({ session: text, client: text, tool: text, roots: [path], parts });
        expect(await changes.get(id)).toMatchObject({
          session: stored,
          client: stored,
          tool: stored,
          roots: [path],
          parts,
        });
        expect((await changes.list({ session: text, limit: 1 }))[0]?.id).toBe(id);
      }
    });

    test('takes texts of any length and characters as the names of folders and the keys of events', async ({
      skip,
    }) => {
      const { checkpoints, events } = await openAll(skip);
      const texts = [longText(), longText(), ...BAD.map(([text]) => text), '\ufffd', 'x'.repeat(100_000)];
      for (const [index, text] of texts.entries()) await checkpoints.rememberIdentity(text, `p${index}`);
      for (const [index, text] of texts.entries()) expect(await checkpoints.identityOf(text)).toBe(`p${index}`);
      const keyed = texts.map((key) => metric('keyed', 1, { key }));
      expect(await events.add(keyed)).toBe(texts.length);
      expect(await events.add(keyed)).toBe(0);
    });

    test('keeps long texts whole', async ({ skip }) => {
      const { checkpoints, events } = await openAll(skip);
      const text = longText().repeat(100);
      await save(checkpoints, 'p', text);
      expect((await checkpoints.load('p'))?.sourceIde).toBe(text);
      await events.add([metric(text, 1, { repo: text, agent: text, session: text, body: JSON.stringify({ text }) })]);
      expect(await events.newest({ kind: 'metric', repos: [text] }, 1)).toMatchObject([{ type: text, repo: text }]);
    });
  });

function metric(type: string, at = 1, more: Partial<NewEvent> = {}): NewEvent {
  return { kind: 'metric', type, at, body: '{}', ...more };
}

async function save(store: CheckpointStore, project: string, sourceIde = 'cursor', at?: string) {
  const facts = { sourceIde, kind: 'save', ...(at !== undefined && { at }) };
  return store.update(project, facts, () => ({ bundle: {}, outcome: undefined }));
}
