// Does search find the right file? Measured on repositories and queries of others, once with a part of each repository in
// the index (as published figures are), once with the whole repository, whose tests, examples and pages are in the way.
import { rmSync } from 'node:fs';
import path from 'node:path';
import type { Knowledge } from '../../../src/knowledge/index/knowledge.ts';
import { openKnowledge } from '../../../src/knowledge/index/open-knowledge.ts';
import { missingData, openRepositories, type Repository } from './data.ts';
import { mean, measure, type Quality } from './quality.ts';

type Print = (line: string) => void;
type Table = (head: readonly string[], rows: readonly (readonly string[])[]) => void;

const HEAD = ['', 'files', 'chunks', 'NDCG@10', 'raw BM25', 'tokens', 'rg + read', 'of it', 'search ms'];

/** Prints the quality of search; says so where there are no data. */
export async function searchFigures(print: Print, table: Table): Promise<void> {
  const opened = openRepositories();
  if (opened === undefined) return print(missingData());
  const knowledge = openKnowledge({ home: path.join(opened.folder, 'home') });
  try {
    print(
      'search, NDCG@10 over files; tokens (o200k) for each answer found: 10 results, or files read whole after grep',
    );
    table(HEAD, await rowsOf(opened.repositories, knowledge));
  } finally {
    await knowledge.close();
    rmSync(opened.folder, { recursive: true });
  }
}

async function rowsOf(repositories: readonly Repository[], knowledge: Knowledge): Promise<string[][]> {
  const parts = await measureAll(repositories, ({ part }) => part, knowledge);
  const wholes = await measureAll(repositories, () => '.', knowledge);
  return [
    ...parts.map(({ name, quality }) => row(`${name}, part`, quality)),
    row('mean of parts', meanOf(parts.map(({ quality }) => quality))),
    ...wholes.map(({ name, quality }) => row(`${name}, whole`, quality)),
    row('mean of wholes', meanOf(wholes.map(({ quality }) => quality))),
  ];
}

async function measureAll(
  repositories: readonly Repository[],
  partOf: (one: Repository) => string,
  knowledge: Knowledge,
) {
  const measured: { readonly name: string; readonly quality: Quality }[] = [];
  for (const one of repositories)
    measured.push({ name: one.repository, quality: await measure(one, partOf(one), knowledge) });
  return measured;
}

function meanOf(all: readonly Quality[]): Quality {
  const of = (key: keyof Quality) => mean(all.map((one) => one[key]));
  return {
    files: of('files'),
    chunks: of('chunks'),
    ours: of('ours'),
    bm25: of('bm25'),
    ourTokens: of('ourTokens'),
    grepTokens: of('grepTokens'),
    searchMs: of('searchMs'),
  };
}

function row(name: string, one: Quality): string[] {
  const share = `${((100 * one.ourTokens) / one.grepTokens).toFixed(1)} %`;
  const whole = [one.files, one.chunks].map((count) => count.toFixed(0));
  const scores = [one.ours, one.bm25].map((score) => score.toFixed(3));
  return [
    name,
    ...whole,
    ...scores,
    one.ourTokens.toFixed(0),
    one.grepTokens.toFixed(0),
    share,
    one.searchMs.toFixed(1),
  ];
}
