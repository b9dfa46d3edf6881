import { renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { tokenOf } from '../../support/auth/tokens.ts';
import { openServe, temporaryFolder } from '../../support/gateway.ts';
import { exchange, HttpSession } from '../../support/http/http-client.ts';
import { codeGateways, FILES, filesIn, monorepo, repository } from './setup.ts';

const { newPlace, connect, configOf, envOf } = codeGateways('SQLite');
const place = () => newPlace(() => expect.fail());

describe('what is outside of the workspace', () => {
  test('looks the same, whether it is there or not', async () => {
    const root = repository();
    const outside = temporaryFolder();
    writeFileSync(path.join(outside, 'file.ts'), 'export const secret = 1;\n');
    const call = await connect(await place(), { workspace: { root } });
    const ways = [outside, path.join(outside, 'file.ts'), path.join(outside, 'not-there')];
    for (const [tool, argsOf] of [
      ['index_repository', (at: string) => ({ path: at, name: 'x' })],
      ['start_indexing_background', (at: string) => ({ repo_path: at })],
      ['set_working_directory', (at: string) => ({ directory: at })],
      ['code_outline', (at: string) => ({ path: at })],
    ] as const)
      for (const way of ways) {
        const answer = await call(tool, argsOf(way));
        expect(answer, tool).toEqual({ isError: true, text: expect.stringContaining('is not in the workspace') });
      }
  });

  test('is told apart from what is missing in the workspace', async () => {
    const root = repository();
    const call = await connect(await place(), { workspace: { root } });
    const of = (at: string) => call('index_repository', { path: path.join(root, at), name: 'x' });
    expect(await of('nowhere')).toMatchObject({ code: -32602, message: expect.stringContaining('does not exist') });
    expect(await of('package.json')).toMatchObject({ code: -32602, message: expect.stringContaining('not a folder') });
  });

  test('is not reached through links', async () => {
    const root = repository();
    const outside = repository();
    symlinkSync(outside, path.join(root, 'away'));
    const call = await connect(await place(), { workspace: { root } });
    const there = await call('code_outline', { path: 'away/src/cart.py' });
    const missing = await call('code_outline', { path: 'away/src/none.py' });
    expect([there.isError, missing.isError]).toEqual([true, true]);
    expect(missing.text.replace('none.py', 'cart.py')).toBe(there.text);
  });

  test('is not searched where a repository was that is a link now', async () => {
    const workspace = temporaryFolder();
    const outside = repository({ 'package.json': '{}', 'secret.ts': 'export const wombat = "outside";\n' });
    const inside = path.join(workspace, 'repo');
    renameSync(repository({ 'package.json': '{}', 'open.ts': 'export const wombat = "inside";\n' }), inside);
    const call = await connect(await place(), { workspace: { root: workspace } });
    const { repository_id: id } = await call('index_repository', { path: inside, name: 'x' });
    expect(filesIn(await call('search_code', { query: 'wombat', repository_id: id }))).toEqual(['open.ts']);
    renameSync(inside, path.join(workspace, 'old'));
    symlinkSync(outside, inside);
    const search = () => call('search_code', { query: 'wombat', repository_id: id });
    for (let times = 0; times < 3; times++) expect(await search()).toMatchObject({ results: [], total_count: 0 });
  });
});

describe('outlines', () => {
  test('are made of other roots, by whichever way they are named', async () => {
    const [one, two] = [repository(), repository()];
    const link = path.join(temporaryFolder(), 'two');
    symlinkSync(two, link);
    const call = await connect(await place(), { workspace: { roots: { one, two: link } } });
    for (const way of [two, link]) {
      const all = await call('code_outline', { path: way });
      expect(all.files.map(({ file_path: file }: any) => file)).toContain('src/cart.py');
      const file = await call('code_outline', { path: path.join(way, 'src/cart.py') });
      expect(file.files.map(({ file_path: at }: any) => at)).toEqual(['src/cart.py']);
    }
    const crossing = path.join(one, 'lib/over');
    symlinkSync(path.join(two, 'src'), crossing);
    const crossed = await call('code_outline', { path: path.join(crossing, 'cart.py') });
    expect(crossed.files).toMatchObject([{ file_path: 'src/cart.py' }]);
  });

  test('of nothing say so', async () => {
    const root = repository();
    const call = await connect(await place(), { workspace: { root } });
    expect(await call('code_outline', { path: 'src/none.py' })).toEqual({
      isError: true,
      text: expect.stringContaining('no src/none.py'),
    });
  });
});

describe('clients of an endpoint', () => {
  const LIMITED = tokenOf('limited', { projects: ['acme-*'] });

  async function serve(more: object = {}) {
    const root = repository({ ...FILES, '.viaduct.yaml': 'project_id: globex-web\n' });
    const { url } = await openServe(configOf(await place(), { workspace: { root }, ...more }), envOf(await place()));
    return { url, root };
  }

  async function callerIn(url: string, headers: Readonly<Record<string, string>> = {}) {
    const session = await HttpSession.open(url, {}, '2025-11-25', headers);
    return async (name: string, args: object) => {
      const { body } = await session.post(session.request('tools/call', { name, arguments: args }));
      return JSON.parse(body).result;
    };
  }

  test('that work in a folder of another machine search the workspace', async () => {
    const { url, root } = await serve();
    const session = await HttpSession.open(url, {}, '2025-11-25', { 'X-Viaduct-Cwd': '/home/somebody/elsewhere' });
    const call = async (name: string, args: object) =>
      JSON.parse((await session.post(session.request('tools/call', { name, arguments: args }))).body).result;
    await call('index_repository', { path: root, name: 'x' });
    const found = await call('search_code', { query: 'applyDiscount' });
    expect(filesIn(found.structuredContent)).toContain('lib/discount.ts');
    const outline = await call('code_outline', { path: 'src/cart.py' });
    expect(outline.structuredContent.files).toMatchObject([{ file_path: 'src/cart.py' }]);
  });

  test('that are limited to projects are told of no other project', async () => {
    const { url, root } = await serve({ server: { tokens: [LIMITED.entry] } });
    const call = await callerIn(url, LIMITED.headers);
    const started = await call('start_indexing_background', { repo_path: root });
    expect(started.structuredContent).toMatchObject({ project_id: null });
    const job = { job_id: started.structuredContent.job_id };
    expect((await call('get_indexing_status', job)).structuredContent).toMatchObject({ project_id: null });
    const chosen = await call('set_working_directory', { directory: root });
    expect(JSON.stringify(chosen)).not.toContain('globex');
  });

  test('without a session cannot choose a folder', async () => {
    const { url, root } = await serve();
    const params = { name: 'set_working_directory', arguments: { directory: root } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const answer = await exchange(url, { headers: { 'content-type': 'application/json' }, body });
    expect(JSON.parse(answer.body).error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('no session'),
    });
  });

  test('choose a folder even if its repository is beyond their reach', async () => {
    const root = path.join(monorepo(), 'packages/a');
    writeFileSync(path.join(root, 'package.json'), '{}\n');
    const { url } = await serve({ workspace: { root } });
    const call = await callerIn(url);
    const folder = path.join(root, 'src');
    const { structuredContent: chosen } = await call('set_working_directory', { directory: folder });
    expect(chosen).toMatchObject({ working_directory: folder, config_found: false, project_info: null });
    await call('index_repository', { path: root, name: 'x' });
    expect(filesIn((await call('search_code', { query: 'numbat' })).structuredContent)).toEqual(['src/one.ts']);
  });
});
