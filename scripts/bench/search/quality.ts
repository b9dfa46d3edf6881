import path from 'node:path';
import type { Knowledge, SearchResult } from '../../../src/knowledge/index/knowledge.ts';
import { median } from '../measure.ts';
import { type Corpus, rawCorpusOf, rawTerms, readFiles, type SourceFile } from './corpus.ts';
import { isRelevant, type Judged, type Repository } from './data.ts';
import { grepAndRead } from './grep-and-read.ts';
import { ndcg } from './ndcg.ts';
import { tokensOf, tokensOfFile } from './tokens.ts';

const RESULTS = 10;

/** The means over the queries of a repository. */
export interface Quality {
  readonly files: number;
  readonly chunks: number;
  readonly ours: number;
  readonly bm25: number;
  /** Tokens for each answer that is found: of all results of a search; and of files that are read whole. */
  readonly ourTokens: number;
  readonly grepTokens: number;
  /** The median time of one search, in ms. */
  readonly searchMs: number;
}

/** Measures the search of a repository, or of its `part`, in the index as gateways have it. */
export async function measure(repository: Repository, part: string, knowledge: Knowledge): Promise<Quality> {
  const files = await readFiles(repository.root, part);
  const raw = rawCorpusOf(files);
  const root = path.join(repository.root, part);
  await knowledge.index(root, {});
  const answers: Answer[] = [];
  for (const one of repository.queries)
    answers.push({
      ...(await answer(one, { knowledge, root, part })),
      bm25: rawScore(one, raw),
      grep: grepTokens(one, files),
    });
  return {
    files: files.length,
    chunks: (await knowledge.repository(root))!.chunks,
    ours: mean(answers.map(({ score }) => score)),
    bm25: mean(answers.map(({ bm25 }) => bm25)),
    ourTokens: perFound(answers.map(({ tokens }) => tokens)),
    grepTokens: perFound(answers.map(({ grep }) => grep)),
    searchMs: median(answers.map(({ took }) => took)),
  };
}

/** The tokens that were spent, and whether that gave an answer. */
interface Spent {
  readonly tokens: number;
  readonly isFound: boolean;
}

interface Answer {
  readonly score: number;
  readonly tokens: Spent;
  /** The time of the search, in ms. */
  readonly took: number;
  readonly bm25: number;
  readonly grep: Spent;
}

interface Indexed {
  readonly knowledge: Knowledge;
  readonly root: string;
  readonly part: string;
}

async function answer({ query, relevant }: Judged, { knowledge, root, part }: Indexed) {
  const { results, latencyMs: took } = await knowledge.search({ query, spaces: [root], limit: RESULTS });
  const paths = results.map(({ filePath }) => path.posix.join(part, filePath));
  const isFound = paths.some((file) => relevant.some((one) => isRelevant(file, one)));
  const tokens = results.reduce((sum, result) => sum + tokensOf(shown(result)), 0);
  return { score: ndcg(paths, relevant), tokens: { tokens, isFound } satisfies Spent, took };
}

/** Its place and its lines. */
const shown = ({ filePath, startLine, endLine, content }: SearchResult): string =>
  `${filePath}:${startLine}-${endLine}\n${content}\n`;

function rawScore({ query, relevant }: Judged, { chunks, index }: Corpus): number {
  const found = index.search([...new Set(rawTerms(query))], RESULTS);
  return ndcg(
    found.map(({ at }) => chunks[at]!.path),
    relevant,
  );
}

function grepTokens({ query, relevant }: Judged, all: readonly SourceFile[]): Spent {
  const { files, needed } = grepAndRead(query, all, relevant);
  const tokens = files.slice(0, needed).reduce((sum, file) => sum + tokensOfFile(file), 0);
  return { tokens, isFound: needed !== undefined };
}

const perFound = (spent: readonly Spent[]): number =>
  spent.reduce((sum, { tokens }) => sum + tokens, 0) / spent.filter(({ isFound }) => isFound).length;

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
