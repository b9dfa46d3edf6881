import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../support/gateway.ts';
import { KINDS } from '../../support/stores/databases.ts';
import type { Call } from '../tasks-workflow/setup.ts';
import { codeGateways, FILES, repository } from './setup.ts';

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

describe.each(KINDS)('the tools of codebase, on %s', (kind) => {
  const { newPlace, connect, client } = codeGateways(kind);

  async function scene(skip: () => never, { isIndexed = true } = {}) {
    const folder = repository();
    const call = await connect(await newPlace(skip), { workspace: { root: folder } });
    if (isIndexed) await call('index_repository', { path: folder, name: 'Shop' });
    const search = (args: object) => call('search_code', args);
    const files = async (args: object): Promise<string[]> =>
      (await search(args)).results.map(({ file_path: file }: { file_path: string }) => file);
    return { folder, call, search, files };
  }

  test('search without an index makes one, and answers with chunks', async ({ skip }) => {
    const { search } = await scene(skip, { isIndexed: false });
    const query = 'apply a discount to the total';
    // It waits for the index, but not for long.
    await expect.poll(async () => (await search({ query })).results.length, { timeout: 60_000 }).toBeGreaterThan(1);
    const answer = await search({ query });
    expect(answer).toMatchObject({ mode: 'lexical', total_count: expect.any(Number), latency_ms: expect.any(Number) });
    const [best] = answer.results;
    expect(best).toMatchObject({ file_path: 'lib/discount.ts', symbol: 'applyDiscount', end_line: 6 });
    expect(best.content).toContain('(total * percent) / 100');
    expect(best.context_after).toContain('formatPrice');
    expect([best.chunk_id, best.repository_id]).toEqual([expect.stringMatching(UUID), expect.stringMatching(UUID)]);
    const scores = answer.results.map(({ similarity_score: score }: any) => score);
    expect(scores.every((score: number) => score >= 0 && score <= 1)).toBe(true);
    expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a));
    expect(answer.total_count).toBeGreaterThanOrEqual(answer.results.length);
  });

  test('a symbol is found by its name, in any spelling', async ({ skip }) => {
    const { search } = await scene(skip);
    for (const query of ['total_price', 'totalPrice', 'Cart.total_price'])
      expect((await search({ query })).results[0]).toMatchObject({ file_path: 'src/cart.py' });
  });

  test('filters take whole extensions and whole folders', async ({ skip }) => {
    const { files } = await scene(skip);
    const query = 'quantity price total';
    expect(new Set(await files({ query }))).toEqual(new Set(['src/cart.py', 'lib/discount.ts', 'src/srcx.ts']));
    expect(new Set(await files({ query, file_type: 'py' }))).toEqual(new Set(['src/cart.py']));
    expect(await files({ query, file_type: 'p' })).toEqual([]);
    expect(new Set(await files({ query, directory: 'src' }))).toEqual(new Set(['src/cart.py', 'src/srcx.ts']));
    expect(await files({ query, directory: 'sr' })).toEqual([]);
    expect(await files({ query, directory: 'sr%' })).toEqual([]);
    expect(await files({ query, directory: '../shop/src' })).toEqual([]);
  });

  test('nothing ignored, secret or gone is found', async ({ skip }) => {
    const { folder, search, files } = await scene(skip);
    expect(await files({ query: 'applyDiscount' })).not.toContain('generated/discount.js');
    expect(JSON.stringify(await search({ query: 'PASSWORD hunter2hunter2' }))).not.toContain('hunter2');
    expect(await files({ query: 'applyDiscount' })).toContain('lib/discount.ts');
    rmSync(path.join(folder, 'lib/discount.ts'));
    expect(await files({ query: 'applyDiscount' })).not.toContain('lib/discount.ts');
  });

  test('a changed file is found as it is now', async ({ skip }) => {
    const { folder, search } = await scene(skip);
    expect((await search({ query: 'sent back within thirty days' })).results[0].file_path).toBe('docs/guide.md');
    writeFileSync(path.join(folder, 'docs/guide.md'), '# Guide\n\n## Returns\n\nNo refunds after a fortnight.\n');
    const found = async () => (await search({ query: 'refunds fortnight' })).results;
    await expect.poll(async () => (await found()).length, { timeout: 30_000 }).toBeGreaterThan(0);
    expect((await found())[0]).toMatchObject({
      file_path: 'docs/guide.md',
      content: expect.stringContaining('fortnight'),
    });
    expect(JSON.stringify(await search({ query: 'sent back within thirty days' }))).not.toContain('thirty');
  });

  test('limit and max_tokens bound the answer', async ({ skip }) => {
    const { search } = await scene(skip);
    const all = await search({ query: 'price' });
    expect(all.results.length).toBeGreaterThan(1);
    const one = await search({ query: 'price', limit: 1 });
    expect(one.results).toHaveLength(1);
    expect(one.total_count).toBe(all.total_count);
    const small = await search({ query: 'price', max_tokens: 150 });
    expect(Buffer.byteLength(JSON.stringify(small.results)) / 3).toBeLessThanOrEqual(151);
    expect(small.results.length).toBeGreaterThan(0);
    expect(small.notes.join()).toContain('max_tokens');
  });

  test('a hundred searches at once are all answered, each with its own results', async ({ skip }) => {
    const { search } = await scene(skip);
    const queries = ['applyDiscount', 'formatPrice', 'total_price', 'sent back within thirty days'];
    const alone = await Promise.all(queries.map(async (query) => (await search({ query })).results));
    const all = await Promise.all(Array.from({ length: 100 }, (_, at) => search({ query: queries[at % 4]! })));
    for (const [at, { results }] of all.entries()) expect(results).toEqual(alone[at % 4]);
  });

  test('index_repository says what it did, and only what changed is read again', async ({ skip }) => {
    const { folder, call } = await scene(skip, { isIndexed: false });
    const first = await call('index_repository', { path: folder, name: 'Shop' });
    expect(first).toMatchObject({ status: 'success', errors: [], repository_id: expect.stringMatching(UUID) });
    expect(first.files_indexed).toBeGreaterThanOrEqual(5);
    expect(first.chunks_created).toBeGreaterThanOrEqual(first.files_indexed);
    expect(first.duration_seconds).toBeGreaterThanOrEqual(0);
    const again = await call('index_repository', { path: folder, name: 'Shop' });
    expect(again).toMatchObject({ repository_id: first.repository_id, files_indexed: 0, status: 'success' });
    const forced = await call('index_repository', { path: folder, name: 'Shop', force_reindex: true });
    expect(forced.files_indexed).toBe(first.files_indexed);
    writeFileSync(path.join(folder, 'lib/new.ts'), 'export const fresh = 1;\n');
    expect(await call('index_repository', { path: folder, name: 'Shop' })).toMatchObject({ files_indexed: 1 });
  });

  test('a file that is no text is an error, and the rest is indexed', async ({ skip }) => {
    const { folder, call } = await scene(skip, { isIndexed: false });
    writeFileSync(path.join(folder, 'lib/latin.ts'), Buffer.from('export const caf\xe9 = 1;\n', 'latin1'));
    const outcome = await call('index_repository', { path: folder, name: 'Shop' });
    expect(outcome).toMatchObject({ status: 'partial', errors: [expect.stringContaining('lib/latin.ts')] });
    expect(outcome.files_indexed).toBeGreaterThanOrEqual(5);
  });

  test('a folder without files to index fails', async ({ skip }) => {
    const { folder, call } = await scene(skip);
    mkdirSync(path.join(folder, 'empty'));
    expect(await call('index_repository', { path: path.join(folder, 'empty'), name: 'e' })).toMatchObject({
      status: 'failed',
      errors: [expect.stringMatching(/^No files found/)],
    });
  });

  test('a job runs in the background, and its state can be asked for', async ({ skip }) => {
    const { folder, call } = await scene(skip, { isIndexed: false });
    const started = await call('start_indexing_background', { repo_path: folder, project_id: 'mine' });
    expect(started).toMatchObject({
      message: 'Indexing job started',
      project_id: 'mine',
      force_reindex: false,
      database_name: expect.any(String),
    });
    const status = () => call('get_indexing_status', { job_id: started.job_id });
    await expect.poll(async () => (await status()).status, { timeout: 60_000 }).toBe('completed');
    expect(await status()).toMatchObject({
      job_id: started.job_id,
      repo_path: folder,
      error_message: null,
      started_at: expect.stringMatching(/Z$/),
      completed_at: expect.stringMatching(/Z$/),
    });
    expect(await call('get_indexing_status', { job_id: UNKNOWN })).toMatchObject({
      isError: true,
      text: expect.stringContaining('Indexing job not found'),
    });
  });

  test('progress is reported while a repository is indexed', async ({ skip }) => {
    const folder = repository({
      ...FILES,
      ...Object.fromEntries(
        Array.from({ length: 300 }, (_, at) => [`many/f${at}.ts`, `export const v${at} = ${at};\n`]),
      ),
    });
    const one = await client(await newPlace(skip), { workspace: { root: folder } });
    const args = { name: 'index_repository', arguments: { path: folder, name: 'x' }, _meta: { progressToken: 'p' } };
    const { value } = await one.request('tools/call', args);
    expect(value.result.structuredContent.status).toBe('success');
    const reports = one.notifications('notifications/progress').map(({ value: { params } }) => params);
    expect(reports.length).toBeGreaterThan(0);
    expect(reports.every(({ progressToken }) => progressToken === 'p')).toBe(true);
    const done = reports.map(({ progress }) => progress);
    expect(done).toEqual([...new Set(done)].sort((a, b) => a - b));
  });

  test('an outline lists symbols with their lines', async ({ skip }) => {
    const { folder, call } = await scene(skip);
    const { files, truncated } = await call('code_outline', { path: 'src/cart.py' });
    expect(truncated).toBe(false);
    expect(files[0].file_path).toBe('src/cart.py');
    expect(files[0].symbols).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ symbol: 'Cart', start_line: 4 }),
        expect.objectContaining({
          symbol: 'Cart.total_price',
          kind: 'method',
          signature: 'def total_price(self):',
          start_line: 14,
          end_line: 16,
        }),
      ]),
    );
    const lib = await call('code_outline', { path: path.join(folder, 'lib') });
    expect(lib.files.map(({ file_path: file }: any) => file)).toEqual(['lib/discount.ts']);
  });
});

describe('what a caller may see', () => {
  const { newPlace, connect } = codeGateways('SQLite');

  async function two(skip: () => never): Promise<{ call: Call; inside: string; outside: string }> {
    const [inside, outside] = [repository(), repository()];
    const place = await newPlace(skip);
    const owner = await connect(place, {
      workspace: {
        roots: { a: inside, b: outside },
      },
    });
    for (const folder of [inside, outside]) await owner('index_repository', { path: folder, name: folder });
    return { call: await connect(place, { workspace: { root: inside } }), inside, outside };
  }

  test('ends at its workspace', async ({ skip }) => {
    const { call, inside, outside } = await two(skip);
    const message = expect.stringContaining('workspace');
    expect(await call('index_repository', { path: outside, name: 'x' })).toMatchObject({
      isError: true,
      text: message,
    });
    expect(await call('start_indexing_background', { repo_path: outside })).toMatchObject({
      isError: true,
      text: message,
    });
    expect(await call('set_working_directory', { directory: outside })).toMatchObject({ isError: true, text: message });
    const link = path.join(inside, 'link');
    symlinkSync(outside, link);
    expect(await call('index_repository', { path: link, name: 'x' })).toMatchObject({ isError: true, text: message });
    expect(await call('code_outline', { path: path.join(outside, 'src/cart.py') })).toMatchObject({ isError: true });
    expect(await call('code_outline', { path: '../../..' })).toMatchObject({ isError: true });
  });

  test('other repositories are found by their ids, if it may use them', async ({ skip }) => {
    const { call, inside } = await two(skip);
    const mine = await call('index_repository', { path: inside, name: 'x' });
    const asked = await call('search_code', { query: 'applyDiscount', repository_id: mine.repository_id });
    expect(asked.results[0].repository_id).toBe(mine.repository_id);
    expect(await call('search_code', { query: 'applyDiscount', repository_id: UNKNOWN })).toMatchObject({
      results: [],
      total_count: 0,
    });
    const found = await call('search_code', { query: 'applyDiscount' });
    expect(new Set(found.results.map(({ repository_id: id }: any) => id))).toEqual(new Set([mine.repository_id]));
  });

  test('a chosen folder is where the session searches', async ({ skip }) => {
    const root = temporaryFolder();
    for (const name of ['one', 'two']) {
      mkdirSync(path.join(root, name));
      writeFileSync(path.join(root, name, 'package.json'), '{}');
      writeFileSync(path.join(root, name, 'code.ts'), `export const shared = '${name}';\n`);
      mkdirSync(path.join(root, name, '.git'));
    }
    const call = await connect(await newPlace(skip), { workspace: { root } });
    const chosen = await call('set_working_directory', { directory: path.join(root, 'two') });
    expect(chosen).toMatchObject({ working_directory: path.join(root, 'two'), config_found: false, config_path: null });
    expect(chosen.project_info).toMatchObject({ name: 'two', id: expect.any(String) });
    await call('index_repository', { path: path.join(root, 'two'), name: 'two' });
    const { results } = await call('search_code', { query: 'shared' });
    expect(results.map(({ content }: any) => content).join()).toContain("'two'");
    expect(results.map(({ content }: any) => content).join()).not.toContain("'one'");
  });

  test('a folder that is no project is not indexed unasked', async ({ skip }) => {
    const folder = repository({ 'notes.txt': 'applyDiscount\n' });
    const call = await connect(await newPlace(skip), { workspace: { root: folder } });
    const first = await call('search_code', { query: 'applyDiscount' });
    expect(first.results).toEqual([]);
    expect(first.notes.join()).toContain('call index_repository');
    await call('index_repository', { path: folder, name: 'notes' });
    expect((await call('search_code', { query: 'applyDiscount' })).results[0].file_path).toBe('notes.txt');
  });
});

describe('arguments that do not fit are refused with -32602', () => {
  const { newPlace, connect } = codeGateways('SQLite');

  test.each([
    ['search_code', {}, 'query'],
    ['search_code', { query: '' }, 'query'],
    ['search_code', { query: '  \n' }, 'query'],
    ['search_code', { query: 'x'.repeat(501) }, 'query'],
    ['search_code', { query: 'x', repository_id: 'nope' }, 'repository_id'],
    ['search_code', { query: 'x', file_type: '.py' }, 'file_type'],
    ['search_code', { query: 'x', directory: 'x'.repeat(501) }, 'directory'],
    ['search_code', { query: 'x', limit: 0 }, 'limit'],
    ['search_code', { query: 'x', limit: 51 }, 'limit'],
    ['search_code', { query: 'x', nonsense: 1 }, 'nonsense'],
    ['index_repository', { name: 'x' }, 'path'],
    ['index_repository', { path: 'relative', name: 'x' }, 'path'],
    ['index_repository', { path: `/${'x'.repeat(500)}`, name: 'x' }, 'path'],
    ['index_repository', { path: '/', name: '' }, 'name'],
    ['index_repository', { path: '/', name: 'x'.repeat(201) }, 'name'],
    ['start_indexing_background', { repo_path: '/a/../b' }, 'repo_path'],
    ['get_indexing_status', { job_id: 'nope' }, 'job_id'],
    ['set_working_directory', { directory: 'relative' }, 'directory'],
  ])('%s %j', async (tool, args, named) => {
    const call = await connect(await newPlace(() => expect.fail()), { workspace: { root: temporaryFolder() } });
    expect(await call(tool, args)).toMatchObject({ code: -32602, message: expect.stringContaining(named) });
  });
});
