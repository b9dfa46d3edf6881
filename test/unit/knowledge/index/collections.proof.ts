import { describe, expect, test } from 'vitest';
import { folderWith, knowledgeIn } from '../../../support/knowledge/knowledge.ts';
import { KINDS } from '../../../support/stores/databases.ts';

const chunk = (text: string, chunkIndex: number, values?: readonly number[]) => ({
  text,
  chunkIndex,
  section: `Part ${chunkIndex}`,
  category: 'documentation',
  ...(values !== undefined && { vector: { model: 'm', values: Float32Array.from(values) } }),
});

describe.each(KINDS)('collections in %s', (kind) => {
  const places = knowledgeIn(kind);

  test('are created, listed and dropped', async ({ skip }) => {
    const place = await places.newPlace(skip);
    const { collections } = places.open(place);
    expect(await collections.create('docs')).toBe(true);
    expect(await collections.create('docs')).toBe(false);
    await collections.create('api');
    expect((await collections.list()).map(({ name }) => name)).toEqual(['api', 'docs']);
    expect(await places.open(place).collections.get('docs')).toMatchObject({ points: 0, sources: 0, status: 'green' });
    expect(await collections.drop('api')).toBe(true);
    expect(await collections.drop('api')).toBe(false);
    expect(await collections.get('api')).toBeUndefined();
  });

  test('give back what a source has now, by its words', async ({ skip }) => {
    const { collections } = places.open(await places.newPlace(skip));
    await collections.create('docs');
    await collections.replaceSource('docs', 'a.md', [chunk('How otters swim.', 0), chunk('How lemurs climb.', 1)]);
    await collections.replaceSource('docs', 'a.md', [chunk('How otters dive.', 0)]);
    await collections.replaceSource('docs', 'b.md', [chunk('Penguins are no otters.', 0)]);
    const { mode, hits } = await collections.search('docs', { text: 'otters diving', topK: 5 });
    expect(mode).toBe('lexical');
    expect(hits[0]).toMatchObject({ text: 'How otters dive.', source: 'a.md', section: 'Part 0', chunkIndex: 0 });
    expect(hits).toHaveLength(2);
    expect(hits[0]!.score).toBeGreaterThan(hits[1]!.score);
    await collections.replaceSource('docs', 'b.md', []);
    expect(await collections.get('docs')).toMatchObject({ points: 1, sources: 1 });
    expect((await collections.search('docs', { text: 'lemurs', topK: 5 })).hits).toEqual([]);
  });

  test('are searched by cosine where the question has a vector, also of equal texts', async ({ skip }) => {
    const { collections } = places.open(await places.newPlace(skip));
    for (const name of ['docs', 'more']) await collections.create(name);
    await collections.replaceSource('docs', 'a.md', [chunk('east', 0, [1, 0]), chunk('north', 1, [0, 2])]);
    await collections.replaceSource('docs', 'b.md', [chunk('east', 0, [1, 0]), chunk('bare', 1)]);
    await collections.replaceSource('more', 'c.md', [chunk('north', 0, [0, 2])]);
    const vector = { model: 'm', values: Float32Array.from([3, 4]) };
    const { mode, hits } = await collections.search('docs', { text: 'x', topK: 3, vector });
    expect(mode).toBe('cosine');
    expect(hits.map(({ source, text }) => `${source} ${text}`)).toEqual(['a.md north', 'a.md east', 'b.md east']);
    expect(hits.map(({ score }) => score.toFixed(3))).toEqual(['0.800', '0.600', '0.600']);
    expect(await collections.get('docs')).toMatchObject({ model: 'm', dimensions: 2, status: 'yellow', points: 4 });
    await collections.drop('docs');
    const left = await collections.search('more', { text: 'x', topK: 3, vector });
    expect(left.hits.map(({ source }) => source)).toEqual(['c.md']);
  });

  test('are no repositories, and repositories are none of them', async ({ skip }) => {
    const root = folderWith({ 'a.ts': '// An otter.\n' });
    const knowledge = places.open(await places.newPlace(skip));
    await knowledge.index(root, {});
    await knowledge.collections.create(root);
    await knowledge.collections.replaceSource(root, 'x.md', [chunk('An otter in a collection.', 0)]);
    const found = await knowledge.search({ query: 'otter', spaces: [root], limit: 10 });
    expect(found.results.map(({ filePath }) => filePath)).toEqual(['a.ts']);
    const { hits } = await knowledge.collections.search(root, { text: 'otter', topK: 5 });
    expect(hits.map(({ source }) => source)).toEqual(['x.md']);
  });

  test('take nothing before they are created', async ({ skip }) => {
    const { collections } = places.open(await places.newPlace(skip));
    await expect(collections.replaceSource('none', 'a', [chunk('x', 0)])).rejects.toThrow(
      'There is no collection "none"',
    );
    expect(await collections.search('none', { text: 'x', topK: 1 })).toEqual({ mode: 'lexical', hits: [] });
  });
});
