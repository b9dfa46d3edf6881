import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { configPage, transportTable } from '../../../../../scripts/docs/config-page.ts';
import { attemptOf } from '../../../../../src/commands/doctor/checks/attempt.ts';
import { entryValue } from '../../../../../src/commands/server-lists/entry-value.ts';
import { isSameServer } from '../../../../../src/commands/server-lists/same-server.ts';
import { configJsonSchema } from '../../../../../src/config/json-schema.ts';
import { transportFor } from '../../../../../src/upstream/transports/index.ts';
import { TRANSPORTS } from '../../../../../src/upstream/transports/manifests/index.ts';
import type { TransportManifest } from '../../../../../src/upstream/transports/manifests/manifest.ts';
import { TransportTable } from '../../../../../src/upstream/transports/manifests/transport-table.ts';
import type { TransportDefinition } from '../../../../../src/upstream/transports/transport.ts';
import { issuesOf, parse } from '../../../config/parse-text.ts';

const CODE: TransportDefinition = { open: () => Promise.reject(new Error('no pigeon flies today')) };

/** A transport that the product does not have. This is all that is written to add it. */
const PIGEON: TransportManifest = {
  type: 'pigeon',
  otherSpellings: ['dove'],
  spellingsOfAgents: /^pigeon-post$/,
  addresses: {
    url: {
      keys: ['headers'],
      protocols: ['pigeon:', 'pigeons:'],
      secure: ['pigeons:'],
      carrier: 'pigeons',
      check: (url) => (url.endsWith('/loft') ? undefined : { message: 'a pigeon flies to a loft', hint: 'add /loft' }),
      complete: (url, absolute) => `${url}?from=${absolute('home')}`,
      attempt: (url) => `whistle ${url}`,
    },
  },
  row: { urls: ['pigeon://…'], spoken: 'JSON-RPC on paper.' },
  load: () => Promise.resolve(CODE),
};

const transports = new TransportTable([...TRANSPORTS.manifests, PIGEON]);
const config = (entry: object) => JSON.stringify({ schemaVersion: 1, upstreams: { a: entry } });
const issues = (entry: object) => issuesOf(config(entry), { transports });

test('the config reads its entries, with and without a type', () => {
  const entry = { url: 'pigeon://roof/loft', headers: { A: 'secret-header' } };
  const { upstreams, secrets } = parse(config(entry), { transports });
  expect(upstreams[0]).toMatchObject({
    type: 'pigeon',
    url: 'pigeon://roof/loft?from=/home/me/project/home',
    headers: { A: 'secret-header' },
  });
  expect(upstreams[0]).not.toHaveProperty('auth');
  expect(secrets).toContain('secret-header');
  expect(parse(config({ ...entry, type: 'dove' }), { transports }).upstreams[0]?.type).toBe('pigeon');
});

test('defaults reach its entries where they mean something there', () => {
  const text = JSON.stringify({
    schemaVersion: 1,
    defaults: { headers: { A: 'b' }, cwd: '/elsewhere' },
    upstreams: { a: { url: 'pigeon://roof/loft' } },
  });
  const [entry] = parse(text, { transports }).upstreams;
  expect(entry).toMatchObject({ headers: { A: 'b' } });
  expect(entry).not.toHaveProperty('cwd');
});

test('config check names it', () => {
  const url = 'pigeon://roof/loft';
  expect(issues({ url: 'crow://x' })[0]).toContain('ws://, wss://, pigeon:// or pigeons://');
  expect(issues({ url: 'pigeon://x' })[0]).toContain('a pigeon flies to a loft -> add /loft');
  expect(issues({ url: 'tcp://h:1', headers: {} })[0]).toContain('goes only with HTTP or WebSocket or pigeons');
  expect(issues({ url, tls: {} })[0]).toContain('goes only with HTTP or WebSocket');
  expect(issues({ url, args: [] })[0]).toContain('goes only with a command');
  expect(issues({ url: 'http://x', type: 'dove' })[0]).toContain(
    'the url of the type pigeon begins with pigeon:// or pigeons://',
  );
  expect(issues({ command: 'x', type: 'pigeon' })[0]).toContain('an entry with a command is of the type stdio');
  expect(issues({ type: 'pigeon' })[0]).toContain('upstreams.a.url: required, but missing');
  expect(issues({ url, type: 'pigon' })[0]).toContain('did you mean "pigeon"?');
});

test('the JSON Schema has its spellings', () => {
  const schema = JSON.stringify(configJsonSchema({}, { transports }));
  expect(schema).toContain('"pigeon","dove"');
  expect(JSON.stringify(configJsonSchema({}))).not.toContain('pigeon');
});

test('doctor says how to reach its server', () => {
  expect(attemptOf({ type: 'pigeon', url: 'pigeon://roof/loft' }, transports)).toBe('whistle pigeon://roof/loft');
});

test('import knows its spellings and its urls', () => {
  const url = 'pigeon://roof/loft';
  expect(isSameServer({ url }, { url, type: 'dove' }, transports)).toBe(true);
  expect(isSameServer({ url }, { url, type: 'http' }, transports)).toBe(false);
  const imported = (found: object) => entryValue({ headers: {}, ...found } as never, '/config', transports);
  expect(imported({ url, type: 'pigeon-post' })).toEqual({ url });
  expect(imported({ url: 'http://x', type: 'pigeon-post' })).toEqual({ url: 'http://x', type: 'pigeon' });
});

test('the documentation has a row for it', () => {
  expect(transportTable(transports)).toMatch(/\| `pigeon`, `dove` +\| `pigeon:\/\/…` +\| JSON-RPC on paper\. \|/);
  const page = readFileSync(new URL('../../../../../docs/CONFIG.md', import.meta.url), 'utf8');
  expect(configPage(page)).toBe(page);
  expect(configPage(page, transports)).toContain('`pigeon`, `dove`');
});

test('its code is what opens a connection', async () => {
  expect(await transportFor({ type: 'pigeon' }, transports)).toBe(CODE);
  expect(() => transportFor({ type: 'pigeon' })).toThrow('There is no transport "pigeon"');
});
