import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { configPage } from '../../../../scripts/docs/config-page.ts';
import { checkDatabase } from '../../../../src/commands/doctor/checks/database-check.ts';
import { configJsonSchema } from '../../../../src/config/json-schema.ts';
import { openDatabase } from '../../../../src/store/database/database.ts';
import { EngineTable } from '../../../../src/store/database/engines/engine-table.ts';
import type { DatabasePlace, EngineManifest } from '../../../../src/store/database/engines/manifest.ts';
import { postgres } from '../../../../src/store/database/engines/postgres.ts';
import { sqlite } from '../../../../src/store/database/engines/sqlite.ts';
import { openKnowledgeStore } from '../../../../src/store/knowledge/open-knowledge-store.ts';
import { temporaryFolder } from '../../../support/gateway.ts';
import { errorOf, issuesOf, literalsOf, parse } from '../../config/parse-text.ts';

const FAULT = 'the mole has left its hole';
const folderIn = (url = ''): string => decodeURIComponent(url.replace(/^mole:\/\/[^/]*/i, ''));
const placeIn = ({ url }: DatabasePlace): DatabasePlace => ({ home: folderIn(url) });

/** An engine that the product does not have, in the folder that its url names. This is all that is written to add it. */
const mole: EngineManifest = {
  name: 'Mole',
  urls: {
    protocols: ['mole:', 'moles:'],
    hint: 'write mole://PASSWORD@/FOLDER',
    isValid: (text) => folderIn(text).startsWith('/'),
    passwordsIn: (text) => /^moles?:\/\/([^@/]+)@/.exec(text)?.slice(1) ?? [],
  },
  shownPlace: ({ url }) => `Mole in ${folderIn(url)}`,
  async load() {
    const { open, look } = await sqlite.load();
    const reach = (place: DatabasePlace): DatabasePlace => {
      if (folderIn(place.url) === '/gone') throw new Error(FAULT);
      return placeIn(place);
    };
    return {
      open: async (place, isLax) => open(reach(place), isLax),
      look: async (place) => look(reach(place)),
      faultsOf: ({ message }) => (message === FAULT ? { says: (place) => `${place} is empty` } : undefined),
    };
  },
  openKnowledge: (place) => sqlite.openKnowledge(placeIn(place)),
};

const engines = new EngineTable([sqlite, postgres, mole]);
const fileOf = (url: string): string => `schemaVersion: 1\ndatabase: ${JSON.stringify(url)}`;

test('the config takes its urls, and keeps their passwords secret', () => {
  const url = 'mole://hunter22@/burrow';
  const { database, secrets } = parse(fileOf(url), { engines });
  expect(database).toBe(url);
  expect(secrets).toEqual([url, 'hunter22']);
  expect(literalsOf(fileOf(url), { engines })).toEqual(['database']);
  expect(literalsOf(fileOf('mole:///burrow'), { engines })).toEqual([]);
});

test('config check names it', () => {
  expect(issuesOf(fileOf('mysql://db/x'), { engines })).toEqual([
    '2:11 database: must be a url that begins with postgres:// or mole:// -> leave it out for SQLite in $VIADUCT_HOME',
  ]);
  const wrong = fileOf('mole://hunter22@');
  expect(issuesOf(wrong, { engines })).toEqual([
    '2:11 database: is not a url of a Mole database -> write mole://PASSWORD@/FOLDER',
  ]);
  expect(errorOf(wrong, { engines }).format('viaduct.yaml')).not.toContain('hunter22');
  expect(issuesOf(fileOf('mole:///burrow'))[0]).toContain('must be a url that begins with postgres://');
});

test('the JSON Schema and the documentation have it', () => {
  expect(configJsonSchema({}, { engines }).properties?.database).toMatchObject({
    description: expect.stringContaining('Url of the PostgreSQL or Mole database'),
  });
  const page = readFileSync(new URL('../../../../docs/CONFIG.md', import.meta.url), 'utf8');
  expect(configPage(page)).toBe(page);
  expect(configPage(page, undefined, undefined, engines)).toContain('| `postgres://` or `mole://` url | SQLite');
});

test('the stores are opened in it, and its errors are explained', async () => {
  const folder = temporaryFolder();
  const database = openDatabase({ home: '/nowhere', url: `mole://${folder}` }, engines);
  onTestFinished(() => database.close());
  expect(await database.run(async ({ kind }) => kind)).toBe('sqlite');

  const gone = openDatabase({ home: '/nowhere', url: 'mole://hunter22@/gone' }, engines);
  onTestFinished(() => gone.close());
  await expect(gone.run(async () => undefined)).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    message: `Mole in /gone is empty (${FAULT})`,
  });
  expect(() => openDatabase({ home: '/nowhere', url: 'mole:///burrow' })).toThrow('it begins with postgres://');
});

test('the index of the knowledge workflows is opened in it', async () => {
  const folder = temporaryFolder();
  const store = await openKnowledgeStore({ home: '/nowhere', url: `MOLE://${folder}`, machine: 'm' }, engines);
  onTestFinished(() => store.close());
  expect(readFileSync(path.join(folder, 'knowledge.db')).length).toBeGreaterThan(0);
});

test('doctor looks at it, and shows its place without secrets', async () => {
  const folder = temporaryFolder();
  const url = `mole://hunter22@${folder}`;
  const check = () => checkDatabase('/nowhere', url, engines);
  expect(await check()).toMatchObject({ mark: 'ok', text: expect.stringContaining('none yet') });
  const database = openDatabase({ home: '/nowhere', url }, engines);
  await database.run(async () => undefined);
  await database.close();
  expect(await check()).toMatchObject({ mark: 'ok', text: `Mole in ${folder}` });
  expect(await checkDatabase('/nowhere', 'mole:///gone', engines)).toMatchObject({
    mark: 'fail',
    text: expect.stringContaining('Mole in /gone is empty'),
    fix: expect.stringContaining('under "database" in the config'),
  });
});
