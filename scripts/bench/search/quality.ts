import { readQuery } from '../../../src/knowledge/ranking/query.ts';
import { rank } from '../../../src/knowledge/ranking/rank.ts';
import { median } from '../measure.ts';
import { type Corpus, corpusOf, type FoundChunk, rawCorpusOf, rawTerms, readFiles } from './corpus.ts';
import { isRelevant, type Judged, type Repository } from './data.ts';
import { grepAndRead } from './grep-and-read.ts';
import { ndcg } from './ndcg.ts';
import { tokensOf, tokensOfFile } from './tokens.ts';

const CANDIDATES = 500;
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
  /** The median time of one ranking, in ms. */
  readonly rankMs: number;
}

/** Measures the search of a repository, or of its `part`. */
export async function measure(repository: Repository, part: string): Promise<Quality> {
  const files = await readFiles(repository.root, part);
  const [corpus, raw] = [await corpusOf(files), rawCorpusOf(files)];
  const answers = repository.queries.map((one) => ({
    ...answer(one, corpus),
    bm25: rawScore(one, raw),
    grep: grepTokens(one, corpus),
  }));
  return {
    files: files.length,
    chunks: corpus.chunks.length,
    ours: mean(answers.map(({ score }) => score)),
    bm25: mean(answers.map(({ bm25 }) => bm25)),
    ourTokens: perFound(answers.map(({ tokens }) => tokens)),
    grepTokens: perFound(answers.map(({ grep }) => grep)),
    rankMs: median(answers.map(({ took }) => took)),
  };
}

/** The tokens that were spent, and whether that gave an answer. */
interface Spent {
  readonly tokens: number;
  readonly isFound: boolean;
}

function answer({ query, relevant }: Judged, corpus: Corpus) {
  const read = readQuery(query);
  const candidates = corpus.index
    .search(read.terms, CANDIDATES)
    .map(({ at, score }) => ({ ...corpus.chunks[at]!, base: score }));
  const from = performance.now();
  const ranked = rank(read, candidates, { limit: RESULTS });
  const took = performance.now() - from;
  const paths = ranked.map(({ candidate }) => candidate.path);
  const isFound = paths.some((path) => relevant.some((one) => isRelevant(path, one)));
  const tokens = ranked.reduce((sum, { candidate }) => sum + tokensOf(shown(candidate)), 0);
  return { score: ndcg(paths, relevant), tokens: { tokens, isFound } satisfies Spent, took };
}

/** As an agent gets it: where it is, and its lines. */
const shown = ({ path, startLine, endLine, text }: FoundChunk): string => `${path}:${startLine}-${endLine}\n${text}\n`;

function rawScore({ query, relevant }: Judged, { chunks, index }: Corpus): number {
  const found = index.search([...new Set(rawTerms(query))], RESULTS);
  return ndcg(
    found.map(({ at }) => chunks[at]!.path),
    relevant,
  );
}

function grepTokens({ query, relevant }: Judged, corpus: Corpus): Spent {
  const { files, needed } = grepAndRead(query, corpus.files, relevant);
  const tokens = files.slice(0, needed).reduce((sum, file) => sum + tokensOfFile(file), 0);
  return { tokens, isFound: needed !== undefined };
}

const perFound = (spent: readonly Spent[]): number =>
  spent.reduce((sum, { tokens }) => sum + tokens, 0) / spent.filter(({ isFound }) => isFound).length;

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
