import { realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { CLIENT_KINDS, connectClient, type EraClient } from '../../support/clients/era-clients.ts';
import { fixture, freshHome, openServe, temporaryFolder, writeConfig } from '../../support/gateway.ts';
import { atEnd } from '../../support/shared.ts';
import { COMERS, newPlace, SECRET } from './scene.ts';

const TOOLS = { enabledWorkflows: ['files', 'process'] };
const REFUSED = /is not open to clients that come over HTTP: .*workspace\.clientFolders/;
const READ = { path: 'notes.txt' };
const cwd = (folder: string) => ({ headers: { 'X-Viaduct-Cwd': encodeURIComponent(folder) } });

describe.each(COMERS)('a client that comes over HTTP ($name)', (comer) => {
  test('works in an open folder that it names, and in no other one', async () => {
    const place = await newPlace(TOOLS);
    expect(await place.call(comer, 'file_read', READ, cwd(place.open))).toContain('nothing');
    for (const folder of [place.closed, place.top, '/proc/self', '/proc/self/cwd', '/']) {
      const read = await place.call(comer, 'file_read', READ, cwd(folder));
      expect([folder, read]).toEqual([folder, expect.stringMatching(REFUSED)]);
      const start = { command: process.execPath, args: ['-e', ''] };
      expect(await place.call(comer, 'process_start', start, cwd(folder))).toMatch(REFUSED);
    }
  });

  test('never works in the folder that the gateway was started in', async () => {
    const place = await newPlace(TOOLS, { root: '' });
    for (const [tool, args] of [
      ['file_read', { path: 'package.json' }],
      ['dir_list', { path: '.' }],
      ['process_start', { command: process.execPath, args: ['-e', ''] }],
    ] as const)
      expect(await place.call(comer, tool, args)).toContain('set workspace.root in the config');
  });

  test('works in the folder of the config, whatever folder it names', async () => {
    const root = realpathSync(temporaryFolder());
    writeFileSync(path.join(root, 'notes.txt'), 'configured');
    const place = await newPlace({ ...TOOLS, workspace: { root } });
    expect(await place.call(comer, 'file_read', READ, cwd(place.closed))).toContain('configured');
  });
});

describe.each(CLIENT_KINDS)('roots of a client of the SDK (%s) over HTTP', (kind) => {
  async function connect(config: object, roots: readonly string[]): Promise<EraClient> {
    const { url } = await openServe(writeConfig({ lists: { graceMs: 20_000 }, ...config }), freshHome());
    const uris = roots.map((folder) => ({ uri: pathToFileURL(folder).href, name: path.basename(folder) }));
    const client = await connectClient(kind, 'rooted', { url }, { roots: uris });
    atEnd(() => client.close());
    await client.listTools();
    return client;
  }

  test('are its workspace as far as they are open', async () => {
    const place = await newPlace(TOOLS, { hasTokens: false });
    const config = { ...TOOLS, workspace: { clientFolders: [place.open] } };
    const mixed = await connect(config, [place.closed, place.open]);
    expect(JSON.stringify(await mixed.call('file_read', READ))).toContain('nothing');
    const closed = await connect(config, [place.closed]);
    const answer = await closed.call('file_read', READ).catch((error: Error) => error.message);
    expect(JSON.stringify(answer)).toMatch(REFUSED);
    expect(JSON.stringify(answer)).not.toContain(SECRET);
  });

  test.each(['legacy', 'modern'] as const)('reach a %s upstream as far as they are open', async (era) => {
    const place = await newPlace(TOOLS, { hasTokens: false });
    const upstreams = { e: fixture('eras', `--era=${era}`) };
    const client = await connect({ upstreams, workspace: { clientFolders: [place.open] } }, [place.closed, place.open]);
    await client.wantLogs('warning');
    const { content } = await client.call('e_roots', { text: '' });
    expect(JSON.parse(content[0].text)).toEqual({
      roots: [{ uri: pathToFileURL(place.open).href, name: 'open' }],
    });
    const told = client.heard.filter(({ method }) => method === 'notifications/message');
    expect(told.map(({ params }) => params.data)).toEqual([expect.stringMatching(REFUSED)]);
  });
});
