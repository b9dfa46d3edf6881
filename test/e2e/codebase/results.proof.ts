import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { codeGateways, filesIn, monorepo, onceLooked, repository } from './setup.ts';

const { newPlace, connect } = codeGateways('SQLite');
const place = () => newPlace(() => expect.fail());

describe('a client in a folder of a repository', () => {
  test('searches that folder, and any other that it names', async () => {
    const root = monorepo();
    const call = await connect(await place(), { workspace: { root } });
    await call('index_repository', { path: root, name: 'x' });
    const cwd = path.join(root, 'packages/a');
    const search = async (args: object) => filesIn(await call('search_code', { query: 'numbat', ...args }, cwd));
    expect(await search({})).toEqual(['packages/a/src/one.ts']);
    expect(await search({ directory: 'src' })).toEqual(['packages/a/src/one.ts']);
    expect(await search({ directory: 'packages/a/src/' })).toEqual(['packages/a/src/one.ts']);
    expect(await search({ directory: './packages/b' })).toEqual(['packages/b/src/two.ts']);
    expect(await search({ directory: '../../..' })).toEqual([]);
  });
});

describe('search_code', () => {
  test('has no notes where there is nothing to say', async () => {
    const root = repository();
    const call = await connect(await place(), { workspace: { root } });
    await call('index_repository', { path: root, name: 'x' });
    expect(await onceLooked(() => call('search_code', { query: 'price' }))).not.toHaveProperty('notes');
  });

  test('says why a repository could not be indexed', async () => {
    const root = repository({ '.git/HEAD': '', 'latin.ts': 'x' });
    writeFileSync(path.join(root, 'latin.ts'), Buffer.from('export const caf\xe9 = 1;\n', 'latin1'));
    const call = await connect(await place(), { workspace: { root } });
    const { notes } = await onceLooked(() => call('search_code', { query: 'café' }));
    expect(notes).toEqual([expect.stringMatching(/could not be indexed: .*latin\.ts/)]);
  });

  test('neither shows nor counts what tools may not read', async () => {
    const root = repository({ 'open.txt': 'A wombat\n', 'state/own.txt': 'Words of the gateway about a wombat\n' });
    const call = await connect({ ...(await place()), home: path.join(root, 'state') }, { workspace: { root } });
    await call('index_repository', { path: root, name: 'x' });
    const found = await call('search_code', { query: 'wombat' });
    expect([filesIn(found), found.total_count]).toEqual([['open.txt'], 1]);
    expect(await call('code_outline', { path: 'state/own.txt' })).toMatchObject({ files: [] });
  });

  test('keeps to max_tokens with a file of one long line', async () => {
    const long = Array.from({ length: 20_000 }, (_, at) => `"wombat${at}"`).join(',');
    const root = repository({ 'package.json': '{}', 'long.json': `[${long}]\n` });
    const call = await connect(await place(), { workspace: { root } });
    await call('index_repository', { path: root, name: 'x' });
    const { results } = await call('search_code', { query: 'wombat7', max_tokens: 200 });
    expect(results).toMatchObject([{ file_path: 'long.json' }]);
    expect(Buffer.byteLength(JSON.stringify(results)) / 3).toBeLessThanOrEqual(200);
    const all = await call('search_code', { query: 'wombat7' });
    expect(Buffer.byteLength(JSON.stringify(all))).toBeLessThan(50_000);
  });
});
