import { mkdirSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Knowledge, OutlineFile, SearchAnswer, SearchQuery } from '../../../../src/knowledge/index/knowledge.ts';
import { folderWith, knowledgeIn } from '../../../support/knowledge/knowledge.ts';
import { KINDS } from '../../../support/stores/databases.ts';

const PARSER = `// Reads what clients send.
import { lineOf } from '../../../support/lines.ts';

/** Parses the header of a request. */
export function parseHeader(text: string): string[] {
  const [name, value] = text.split(': ');
  return [name, value];
}

export class Walrus {
  swim(): string {
    return 'splash';
  }
}
`;
const FILES = {
  'src/parser.ts': PARSER,
  'src/lines.ts': 'export function lineOf(text: string): string {\n  return text.trimEnd();\n}\n',
  'srcx/other.py': 'def parse_header(text):\n    return text.split(":")\n',
  'docs/guide.md': '# Guide\n\nHow a header is parsed.\n\n## Walrus\n\nA walrus swims.\n',
};

const paths = ({ results }: SearchAnswer): string[] => results.map(({ filePath }) => filePath);

function searchIn(knowledge: Knowledge, space: string) {
  return (query: string, more: Partial<SearchQuery> = {}) =>
    knowledge.search({ query, spaces: [space], limit: 10, ...more });
}

describe.each(KINDS)('the index in %s', (kind) => {
  const places = knowledgeIn(kind);

  test('finds chunks by their words and names, with their lines and what stands around them', async ({ skip }) => {
    const root = folderWith(FILES);
    const knowledge = places.open(await places.newPlace(skip));
    const outcome = await knowledge.index(root, { name: 'zoo' });
    expect(outcome).toMatchObject({ filesIndexed: 4, status: 'success', errors: [] });
    const { results, totalCount, mode } = await searchIn(knowledge, root)('parseHeader');
    expect(mode).toBe('lexical');
    expect(totalCount).toBeGreaterThan(1);
    const [first] = results;
    expect(first).toMatchObject({ filePath: 'src/parser.ts', symbol: 'parseHeader', kind: 'function' });
    expect(first!.repositoryId).toBe(outcome.repositoryId);
    expect(first!.chunkId).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    const lines = PARSER.split('\n');
    expect(first!.content).toBe(lines.slice(first!.startLine - 1, first!.endLine).join('\n'));
    expect(first!.contextBefore).toContain("import { lineOf } from '../../../support/lines.ts';");
    expect(first!.contextAfter).toContain('export class Walrus');
    for (const { score } of results) expect(score).toBeGreaterThanOrEqual(0);
    for (const { score } of results) expect(score).toBeLessThanOrEqual(1);
    expect(await knowledge.repository(root)).toMatchObject({ name: 'zoo', files: 4, progress: undefined });
  });

  test('counts what matches before the limit, and filters by whole parts of paths and by extensions', async ({
    skip,
  }) => {
    const root = folderWith(FILES);
    const knowledge = places.open(await places.newPlace(skip));
    await knowledge.index(root, {});
    const search = searchIn(knowledge, root);
    const all = await search('header');
    expect(all.totalCount).toBe(all.results.length);
    expect(await search('header', { limit: 1 })).toMatchObject({ totalCount: all.totalCount });
    expect(new Set(paths(await search('header', { directory: 'src' })))).toEqual(new Set(['src/parser.ts']));
    expect(paths(await search('header', { directory: 'sr' }))).toEqual([]);
    expect(paths(await search('header', { directory: './srcx/' }))).toEqual(['srcx/other.py']);
    expect(paths(await search('header', { fileType: 'PY' }))).toEqual(['srcx/other.py']);
    expect(await search('header', { fileType: '%' })).toMatchObject({ totalCount: 0, results: [] });
    expect(await search('nothinghasthis')).toMatchObject({ totalCount: 0, results: [] });
    expect(await search(' ?! ')).toMatchObject({ totalCount: 0, results: [] });
  });

  test('reads only what has changed, by content, and forgets what has gone', async ({ skip }) => {
    const root = folderWith(FILES);
    const knowledge = places.open(await places.newPlace(skip));
    await knowledge.index(root, {});
    expect(await knowledge.index(root, {})).toMatchObject({ filesIndexed: 0, chunksCreated: 0, status: 'success' });
    utimesSync(path.join(root, 'src/lines.ts'), new Date(), new Date(0));
    writeFileSync(path.join(root, 'docs/guide.md'), '# Guide\n\nAbout otters.\n');
    rmSync(path.join(root, 'srcx'), { recursive: true });
    expect(await knowledge.index(root, {})).toMatchObject({ filesIndexed: 1 });
    const search = searchIn(knowledge, root);
    expect(paths(await search('otters'))).toEqual(['docs/guide.md']);
    expect(paths(await search('walrus'))).toEqual(['src/parser.ts']);
    expect(await knowledge.repository(root)).toMatchObject({ files: 3 });
    expect(await knowledge.index(root, { force: true })).toMatchObject({ filesIndexed: 3 });
  });

  test('never answers about text that is gone: files of results are read again', async ({ skip }) => {
    const root = folderWith(FILES);
    const place = await places.newPlace(skip);
    await places.open(place).index(root, {});
    writeFileSync(path.join(root, 'src/parser.ts'), 'export function parseHeader(): void {}\n');
    rmSync(path.join(root, 'srcx/other.py'));
    const search = searchIn(places.open(place), root);
    // On a slow machine a file may not be read again in time: then it is left out.
    const shown = async () => {
      const { results } = await search('parse header');
      for (const { content } of results) expect(content).not.toContain("split(': ')");
      expect(results.map(({ filePath }) => filePath)).not.toContain('srcx/other.py');
      return results.map(({ content }) => content.trim());
    };
    await expect.poll(shown).toContain('export function parseHeader(): void {}');
  });

  test('finds what was changed, added or moved since, while it is open', async ({ skip }) => {
    const root = folderWith(FILES);
    const knowledge = places.open(await places.newPlace(skip));
    await knowledge.index(root, {});
    const search = searchIn(knowledge, root);
    await search('header');
    writeFileSync(path.join(root, 'src/lines.ts'), '// A narwhal.\n');
    await expect.poll(async () => paths(await search('narwhal'))).toEqual(['src/lines.ts']);
    mkdirSync(path.join(root, 'new/deep'), { recursive: true });
    writeFileSync(path.join(root, 'new/deep/file.ts'), '// A manatee.\n');
    await expect.poll(async () => paths(await search('manatee'))).toEqual(['new/deep/file.ts']);
    renameSync(path.join(root, 'new/deep/file.ts'), path.join(root, 'new/deep/moved.ts'));
    await expect.poll(async () => paths(await search('manatee'))).toEqual(['new/deep/moved.ts']);
  });

  test('gives a chunk the same id wherever its lines move to', async ({ skip }) => {
    const root = folderWith(FILES);
    const knowledge = places.open(await places.newPlace(skip));
    await knowledge.index(root, {});
    const search = searchIn(knowledge, root);
    const [before] = (await search('parseHeader')).results;
    writeFileSync(path.join(root, 'src/parser.ts'), `\n\n\n${PARSER}`);
    await knowledge.index(root, {});
    const [after] = (await search('parseHeader')).results;
    expect(after).toMatchObject({ chunkId: before!.chunkId, startLine: before!.startLine + 3 });
  });

  test('answers only from the spaces that were asked for, which share equal texts', async ({ skip }) => {
    const [one, other] = [folderWith(FILES), folderWith({ ...FILES, 'src/secret.ts': '// Only here: a header.\n' })];
    const knowledge = places.open(await places.newPlace(skip));
    const { repositoryId } = await knowledge.index(one, {});
    await knowledge.index(other, {});
    for (const space of [one, repositoryId]) {
      const answer = await searchIn(knowledge, space)('header');
      expect(paths(answer)).not.toContain('src/secret.ts');
      for (const result of answer.results) expect(result.repositoryId).toBe(repositoryId);
    }
    const both = await knowledge.search({ query: 'header', spaces: [one, other], limit: 50 });
    expect(new Set(both.results.map((result) => result.repositoryId)).size).toBe(2);
    expect(await searchIn(knowledge, '/somewhere/else')('header')).toMatchObject({ totalCount: 0 });
    expect(await knowledge.forget(other)).toBe(true);
    expect(await knowledge.forget(other)).toBe(false);
    expect(paths(await searchIn(knowledge, one)('parseHeader'))).toContain('src/parser.ts');
    expect((await knowledge.repositories()).map(({ root }) => root)).toEqual([one]);
  });

  test('stores no secrets, and keeps the numbers of lines behind them', async ({ skip }) => {
    const key = ['-----BEGIN PRIVATE KEY-----', 'A'.repeat(64), 'B'.repeat(64), '-----END PRIVATE KEY-----'].join('\n');
    const root = folderWith({
      'keys.md': `# Keys\n\npassword: "correct-horse-9"\n\n${key}\n\n## Behind\n\nThe aardvark.\n`,
    });
    const knowledge = places.open(await places.newPlace(skip));
    await knowledge.index(root, {});
    const { results } = await searchIn(knowledge, root)('keys aardvark password');
    const shown = JSON.stringify(results);
    expect(shown).not.toContain('correct-horse-9');
    expect(shown).not.toContain('A'.repeat(64));
    expect(results.find(({ content }) => content.includes('aardvark'))).toMatchObject({ startLine: 10 });
  });

  test('goes on when the caller leaves', async ({ skip }) => {
    const root = folderWith(FILES);
    const knowledge = places.open(await places.newPlace(skip));
    const controller = new AbortController();
    const left = knowledge.index(root, { signal: controller.signal });
    controller.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    await expect.poll(async () => (await knowledge.repository(root))?.files).toBe(4);
  });

  test('keeps jobs for all gateways', async ({ skip }) => {
    const root = folderWith(FILES);
    const place = await places.newPlace(skip);
    const knowledge = places.open(place);
    const { jobId, root: at } = await knowledge.startJob(root, {});
    expect(at).toBe(root);
    const other = places.open(place);
    await expect.poll(async () => (await other.job(jobId))?.state).toBe('completed');
    expect(await other.job(jobId)).toMatchObject({ filesIndexed: 4, force: false, error: undefined });
    expect(await other.job('00000000-0000-4000-8000-000000000000')).toBeUndefined();
  });

  test('is indexed by one gateway at a time, once', async ({ skip }) => {
    const files = Object.fromEntries(
      Array.from({ length: 120 }, (_, at) => [`file-${at}.ts`, `export const value${at} = 'lemur ${at}';\n`]),
    );
    const root = folderWith(files);
    const place = await places.newPlace(skip);
    const gateways = [places.open(place), places.open(place), places.open(place)];
    const outcomes = await Promise.all(gateways.map((knowledge) => knowledge.index(root, {})));
    expect(outcomes.reduce((sum, { filesIndexed }) => sum + filesIndexed, 0)).toBe(120);
    expect(new Set(outcomes.map(({ repositoryId }) => repositoryId)).size).toBe(1);
    expect(await searchIn(gateways[0]!, root)('lemur')).toMatchObject({ totalCount: 120 });
  });

  test.runIf(kind === 'SQLite')(
    'is made anew when its file was removed, and set aside when that is damaged',
    async ({ skip }) => {
      const root = folderWith(FILES);
      const place = await places.newPlace(skip);
      const knowledge = places.open(place);
      const file = path.join(place.home, 'knowledge.db');
      await knowledge.index(root, {});
      expect(await searchIn(knowledge, root)('header')).not.toMatchObject({ totalCount: 0 });
      for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
      expect(await knowledge.index(root, {})).toMatchObject({ filesIndexed: 4 });
      await knowledge.close();
      writeFileSync(file, 'no database '.repeat(1_000));
      expect(await places.open(place).index(root, {})).toMatchObject({ filesIndexed: 4 });
      expect(readdirSync(place.home).some((name) => name.startsWith('knowledge.db.damaged-'))).toBe(true);
    },
  );

  test('says what is wrong with a root', async ({ skip }) => {
    const knowledge = places.open(await places.newPlace(skip));
    await expect(knowledge.index('/there/is/no/such/folder', {})).rejects.toThrow('Repository path does not exist');
    await expect(knowledge.index(import.meta.filename, {})).rejects.toThrow('Repository path is no folder');
  });

  test('outlines a file and a folder', async ({ skip }) => {
    const root = folderWith(FILES);
    const knowledge = places.open(await places.newPlace(skip));
    const { files } = await knowledge.outline(root, 'src/parser.ts');
    expect(files[0]!.symbols.map(({ symbol }) => symbol)).toContain('parseHeader');
    expect((await knowledge.outline(root, 'src')).files.map(({ path: file }) => file).sort()).toEqual([
      'src/lines.ts',
      'src/parser.ts',
    ]);
    const withSecret = folderWith({ 'key.ts': `export const password = 'correct-horse-9';\n` });
    const [{ symbols }] = (await knowledge.outline(withSecret, 'key.ts')).files as [OutlineFile];
    expect(symbols).toMatchObject([{ symbol: 'password', startLine: 1 }]);
    expect(symbols[0]!.head).not.toContain('correct-horse-9');
    await expect(knowledge.outline(root, 'nowhere')).rejects.toThrow('There is no nowhere');
  });
});
