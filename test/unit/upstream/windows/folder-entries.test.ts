import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createLog } from '../../../../src/telemetry/log.ts';
import { openEndpoint } from '../../../../src/upstream/transports/http/endpoint.ts';
import { askForFolder, folderWith } from '../../../../src/upstream/windows/folder-entries.ts';
import { temporaryFolder } from '../../../support/gateway.ts';
import { sendJson, startHttpServer } from '../../../support/http/http-server.ts';

const LIST = [
  { name: 'src', type: 'directory' },
  { name: 'my file.txt', type: 'file' },
];

/** What is learnt from a plug-in that answers the two questions so. */
async function clue(root: object, refusal: object, dialect: 'rest' | 'json-rpc') {
  const asked: unknown[] = [];
  const { port } = await startHttpServer(({ body }, response) => {
    const message = JSON.parse(body);
    asked.push(dialect === 'rest' ? message : message.params);
    sendJson(response, asked.length === 1 ? root : refusal);
  });
  const url = `http://127.0.0.1:${port}/mcp`;
  const endpoint = await openEndpoint({ url, headers: {} }, { env: {}, log: createLog({ level: 'silent' }) });
  try {
    return { asked, found: await askForFolder({ name: dialect, url }, { endpoint, ms: 5_000 }) };
  } finally {
    endpoint.destroy();
  }
}

const rpc = (text: string, isError = false) => ({
  jsonrpc: '2.0',
  id: 0,
  result: { content: [{ type: 'text', text }], isError },
});

describe('a plug-in that does not say its folder', () => {
  test('is asked with a tool that only reads; an error names the folder', async () => {
    const text = 'Path is not a directory: /home/me/my work/my file.txt';
    const { asked, found } = await clue(rpc(JSON.stringify(LIST)), rpc(text, true), 'json-rpc');
    expect(asked).toEqual([
      { name: 'list_files_in_folder', arguments: { pathInProject: '/' } },
      { name: 'list_files_in_folder', arguments: { pathInProject: 'my file.txt' } },
    ]);
    expect(found?.folder).toBe('/home/me/my work');
    expect([...found!.entries!]).toEqual([
      ['src', 'directory'],
      ['my file.txt', 'file'],
    ]);
  });

  test('of the older dialect too', async () => {
    const root = { status: JSON.stringify(LIST), error: null };
    const { found } = await clue(root, { status: null, error: "ENOTDIR, scandir '/w/my file.txt'" }, 'rest');
    expect(found).toMatchObject({ folder: '/w' });
  });

  test.each([
    ['no path', rpc('that is a file', true), undefined],
    ['another path', rpc('not below /home/me', true), undefined],
    ['a list, as if a file were a folder', rpc('[]'), undefined],
  ])('%s is no folder', async (_what, refusal, folder) => {
    const { found } = await clue(rpc(JSON.stringify(LIST)), refusal, 'json-rpc');
    expect(found?.folder).toBe(folder);
    expect(found?.entries?.size).toBe(2);
  });

  test.each([
    ['an error', rpc('no project is open', true)],
    ['no tool of that name', { jsonrpc: '2.0', id: 0, error: { code: -32601, message: 'no' } }],
    ['words', rpc('src, a.txt')],
    ['entries without names', rpc('[1, {"name": 2}]')],
  ])('%s tells nothing', async (_what, root) => {
    const { asked, found } = await clue(root, {}, 'json-rpc');
    expect(found).toEqual({ entries: undefined, folder: undefined });
    expect(asked).toHaveLength(1);
  });
});

describe('the folder with these entries', () => {
  const setUp = () => {
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, 'src', 'deep'), { recursive: true });
    writeFileSync(path.join(folder, 'a.txt'), '');
    symlinkSync('src', path.join(folder, 'link'));
    return folder;
  };
  const ENTRIES = new Map([
    ['src', 'directory'],
    ['a.txt', 'file'],
    ['link', 'file'],
  ] as const);

  test('is the one itself, or one above', async () => {
    const folder = setUp();
    expect(await folderWith(ENTRIES, folder)).toBe(folder);
    expect(await folderWith(ENTRIES, path.join(folder, 'src', 'deep'))).toBe(folder);
    expect(await folderWith(new Map([...ENTRIES.keys()].map((name) => [name, undefined])), folder)).toBe(folder);
  });

  test.each<[string, (folder: string) => void]>([
    ['one more', (folder) => writeFileSync(path.join(folder, 'b.txt'), '')],
    ['one in place of another', (folder) => renameSync(path.join(folder, 'a.txt'), path.join(folder, 'b.txt'))],
  ])('is none with %s', async (_what, change) => {
    const folder = setUp();
    change(folder);
    expect(await folderWith(ENTRIES, folder)).toBeUndefined();
  });

  test('is none where a file has the name of a folder', async () => {
    expect(await folderWith(new Map(ENTRIES).set('src', 'file'), setUp())).toBeUndefined();
  });

  test('an empty one is no folder above', async () => {
    const folder = setUp();
    const deep = path.join(folder, 'src', 'deep');
    expect(await folderWith(new Map(), deep)).toBe(deep);
    expect(await folderWith(new Map(), folder)).toBeUndefined();
    expect(await folderWith(ENTRIES, path.join(folder, 'gone'))).toBe(folder);
  });
});
