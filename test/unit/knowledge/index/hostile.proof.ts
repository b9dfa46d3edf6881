import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderWith, knowledgeIn } from '../../../support/knowledge/knowledge.ts';
import { KINDS } from '../../../support/stores/databases.ts';

/** More distinct words than one row of a full-text index has room for. */
const WORDS = Array.from({ length: 60_000 }, (_, at) => `wd${at.toString(36)}xKq${(at * 7919).toString(36)}`);
const FILES = {
  'plain.ts': '// A walrus.\n',
  'new\nline.ts': '// A walrus.\n',
  'it\'s "quoted" \\ here.a\'b': 'a walrus\n',
  [`long.${'e'.repeat(240)}`]: 'a walrus\n',
  [`${'ä'.repeat(120)}.md`]: `# ${'"quoted" OR NEAR( title \\ '.repeat(20)}\n\nA walrus.\n`,
  'nul.txt': `${'x '.repeat(5_000)}\0 walrus \0\n`,
  'nul.ts': `${'// x\n'.repeat(2_000)}export function wal\0rus() {}\nconst \0 = 'walrus';\n`,
  'symbols.ts': `export const $ = 1;\nexport class _ {}\nexport function ___() { return '\\ud800 walrus'; }\n`,
  'line.txt': `walrus ${'y'.repeat(500_000)}\n`,
  'words.ts': `class Words {\n  one = '${WORDS.join(' ')}'; // walrus\n${'  x = 1;\n'.repeat(6_000)}}\n`,
};

describe.each(KINDS)('the index in %s', (kind) => {
  const places = knowledgeIn(kind);

  test('takes names and texts of all sorts', async ({ skip }) => {
    const root = folderWith(FILES);
    const wide = Buffer.from('\uFEFF// A walrus \uD800 alone.\n', 'utf16le');
    writeFileSync(path.join(root, 'wide.ts'), wide);
    writeFileSync(
      Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff, 0xfe]), Buffer.from('.ts')]),
      '// walrus\n',
    );
    mkdirSync(path.join(root, 'fold\ner"'));
    writeFileSync(path.join(root, 'fold\ner"', 'a.ts'), '// A walrus.\n');
    const knowledge = places.open(await places.newPlace(skip), { maxFileBytes: 4_000_000 });
    expect(await knowledge.index(root, {})).toMatchObject({ status: 'success', errors: [] });
    const search = (query: string, more = {}) => knowledge.search({ query, spaces: [root], limit: 50, ...more });
    const { results } = await search('walrus');
    const found = new Set(results.map(({ filePath }) => filePath));
    for (const file of [...Object.keys(FILES), 'wide.ts', 'fold\ner"/a.ts']) expect([...found]).toContain(file);
    for (const { content } of results) expect(content.length).toBeLessThan(20_000);
    expect((await search('walrus', { directory: 'fold\ner"' })).totalCount).toBe(1);
    expect((await search('walrus', { fileType: "a'b" })).totalCount).toBe(1);
    for (const query of ['"', "' OR 1=1 --", 'NEAR(walrus', 'walrus*', '\0walrus', 'a:walrus', '^walrus', '\\'])
      await search(query);
    expect((await search(`walrus ${'z'.repeat(5_000)}`)).results.length).toBeGreaterThan(0);
    expect((await search(`walrus ${WORDS.slice(0, 5_000).join(' ')}`)).results.length).toBeGreaterThan(0);
  });
});
