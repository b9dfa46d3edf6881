import type { Candidate, Ranked } from './candidate.ts';
import { byFile, Evidence, type FileCandidates } from './evidence.ts';
import { barrelWeight, pathWeight } from './path-weight.ts';
import type { Query } from './query.ts';
import { BASE_POWER, DECAY, WEIGHTS } from './weights.ts';

export interface RankOptions {
  /** The largest number of results; 10 by default. */
  readonly limit?: number;
}

/** Scores that others are compared with. */
interface Scale {
  readonly base: number;
  readonly mass: number;
  /** The score of a chunk for which everything speaks, divided by the share of the query that is found at all. */
  readonly best: number;
}

/**
 * Returns the best of the candidates (a few hundred: those with the greatest `base`), best first. What the chunks define, what
 * their files are called, and how much else of a file fits, is added to how well their texts fit.
 */
export function rank<C extends Candidate>(
  query: Query,
  candidates: readonly C[],
  { limit = 10 }: RankOptions = {},
): Ranked<C>[] {
  const files = byFile(query, candidates);
  const evidence = new Evidence(query, files);
  const scale = scaleOf(query, files, evidence);
  return files
    .flatMap((file) => ranksOfFile(query, file, evidence, scale))
    .sort((a, b) => b.score - a.score)
    .slice(0, limit);
}

function scaleOf(query: Query, files: readonly FileCandidates<Candidate>[], evidence: Evidence): Scale {
  const { name, folder, definition, symbol, coverage, coherence } = WEIGHTS;
  const ofNames = name + definition + (query.symbols.length === 0 ? 0 : query.isSymbol ? symbol : symbol / 2);
  const found = evidence.coverage(new Set(files.flatMap(({ terms }) => [...terms])));
  return {
    base: files.reduce((most, file) => file.candidates.reduce((max, one) => Math.max(max, one.base), most), 0),
    mass: files.reduce((most, { mass }) => Math.max(most, mass), 0),
    best: (1 + coverage + folder + coherence + 1.5 * ofNames) / Math.max(found, Number.EPSILON),
  };
}

function ranksOfFile<C extends Candidate>(
  query: Query,
  file: FileCandidates<C>,
  evidence: Evidence,
  scale: Scale,
): Ranked<C>[] {
  const weight = pathWeight(file.path, query);
  const ofFile = fileScore(file, evidence);
  const coherence = WEIGHTS.coherence * Math.sqrt(scale.mass === 0 ? 0 : file.mass / scale.mass);
  return file.candidates
    .map((candidate) => ({ candidate, score: chunkScore(candidate, ofFile, evidence, scale) }))
    .sort((a, b) => b.score - a.score)
    .map(({ candidate, score }, at) => ({
      candidate,
      score: ((score + (at === 0 ? coherence : 0)) * weight * DECAY ** at) / scale.best,
    }));
}

interface FileScore {
  readonly name: number;
  readonly added: number;
}

function fileScore({ words, terms }: FileCandidates<Candidate>, evidence: Evidence): FileScore {
  return {
    name: WEIGHTS.name * evidence.name(words),
    added: WEIGHTS.folder * evidence.folder(words) + WEIGHTS.coverage * evidence.coverage(terms),
  };
}

/** Names count by themselves, and more where the text matches too. */
function chunkScore(candidate: Candidate, { name, added }: FileScore, evidence: Evidence, scale: Scale): number {
  const base = scale.base === 0 ? 0 : (candidate.base / scale.base) ** BASE_POWER;
  const names =
    name + WEIGHTS.definition * evidence.definition(candidate.defines) + WEIGHTS.symbol * evidence.symbol(candidate);
  return (base + added + (0.5 + base) * names) * barrelWeight(candidate.path, candidate.kind);
}
