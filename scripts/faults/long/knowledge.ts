import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Knowledge, Repository } from '../../../src/knowledge/index/knowledge.ts';
import { openKnowledge } from '../../../src/knowledge/index/open-knowledge.ts';
import type { Place } from '../../../test/support/stores/checkpoint-writers.ts';
import { onEachDatabase } from './on-each-database.ts';

/** A kill comes at some moment within so many milliseconds after the first progress. */
const KILLED_WITHIN_MS = 1_500;
const FILES = 1_500;
const CHUNKS_A_FILE = 3;
const INDEXER = path.resolve('test/support/knowledge/index-until-killed.ts');

export interface KnowledgeOutcome {
  readonly name: string;
  readonly rounds: number;
  /** Rounds in which the kill came before the end of the run. */
  readonly cutOff: number;
  readonly problems: readonly string[];
}

/** Gateways that index are killed, round after round; then the next one goes on, and each chunk is there once. */
export function killIndexers(
  rounds: number,
  onRound: (name: string, round: number) => void,
): Promise<KnowledgeOutcome[]> {
  return onEachDatabase((name, place) => killAt(name, place, rounds, onRound));
}

async function killAt(
  name: string,
  place: Place,
  rounds: number,
  onRound: (name: string, round: number) => void,
): Promise<KnowledgeOutcome> {
  const root = mkdtempSync(path.join(tmpdir(), 'viaduct-indexed-'));
  const problems: string[] = [];
  let cutOff = 0;
  try {
    for (let round = 1; round <= rounds; round++) {
      fill(root, round);
      if (await indexUntilKilled(place, root)) cutOff += 1;
      problems.push(...(await faultsOf(place, root, round)).map((problem) => `round ${round}: ${problem}`));
      onRound(name, round);
    }
    return { name, rounds, cutOff, problems };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Each round changes half of the files, so that old chunks go while new ones come. */
function fill(root: string, round: number): void {
  for (let file = 0; file < FILES; file++) {
    if (round > 1 && file % 2 !== round % 2) continue;
    const place = path.join(root, `part-${file % 20}`, `file-${file}.ts`);
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, textOf(file, round));
  }
}

function textOf(file: number, round: number): string {
  const parts = Array.from({ length: CHUNKS_A_FILE }, (_, part) => {
    const lines = Array.from(
      { length: 12 },
      (_unused, line) => `  walrus(${file}, ${part}, ${line}, 'round${round}');`,
    );
    return `export function made${file}part${part}(): void {\n${lines.join('\n')}\n}\n`;
  });
  return parts.join('\n');
}

/** Returns whether the run was still under way. */
async function indexUntilKilled({ home, url }: Place, root: string): Promise<boolean> {
  const child = spawn(process.execPath, ['--import', 'tsx', INDEXER, home, root, url ?? ''], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const hasBegun = await firstWord(child);
  if (hasBegun) await new Promise((resolve) => setTimeout(resolve, Math.random() * KILLED_WITHIN_MS));
  const isUnderWay = child.exitCode === null;
  child.kill('SIGKILL');
  if (isUnderWay) await once(child, 'exit');
  return isUnderWay;
}

async function firstWord(child: ChildProcess): Promise<boolean> {
  const [reason] = (await Promise.race([once(child.stdout!, 'data'), once(child, 'exit')])) as [unknown];
  return Buffer.isBuffer(reason);
}

async function faultsOf(place: Place, root: string, round: number): Promise<string[]> {
  const knowledge = openKnowledge(place);
  try {
    const { status, errors } = await knowledge.index(root, {});
    if (status !== 'success') return [`the next run ended with ${status}: ${errors.join('; ')}`];
    return [...(await countFaults(knowledge, root)), ...(await textFaults(knowledge, root, round))];
  } catch (error) {
    return [`the index does not go on: ${String(error)}`];
  } finally {
    await knowledge.close();
  }
}

async function countFaults(knowledge: Knowledge, root: string): Promise<string[]> {
  const { files, chunks } = (await knowledge.repository(root)) as Repository;
  const { totalCount } = await knowledge.search({ query: 'walrus', spaces: [root], limit: 1 });
  const expected = FILES * CHUNKS_A_FILE;
  return [
    ...(files === FILES ? [] : [`${files} files instead of ${FILES}`]),
    ...(chunks === totalCount ? [] : [`${chunks} chunks are counted, ${totalCount} are found`]),
    ...(totalCount === expected ? [] : [`${totalCount} chunks instead of ${expected}`]),
  ];
}

/** Each function is found once, with the text that its file has now. */
async function textFaults(knowledge: Knowledge, root: string, round: number): Promise<string[]> {
  const problems: string[] = [];
  for (let sample = 0; sample < 10; sample++) {
    const file = Math.floor(Math.random() * FILES);
    const name = `made${file}part1`;
    const { results } = await knowledge.search({ query: name, spaces: [root], limit: 50 });
    const found = results.filter(({ symbol }) => symbol === name);
    const last = file % 2 === round % 2 || round === 1 ? round : round - 1;
    if (found.length !== 1) problems.push(`${name} is found ${found.length} times`);
    else if (!found[0]!.content.includes(`'round${last}'`)) problems.push(`${name} is not as its file is`);
  }
  return problems;
}
