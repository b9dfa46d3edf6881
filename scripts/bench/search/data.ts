// The repositories and queries by which search is judged: read from $VIADUCT_SHARED/eval/code, never copied into the repo.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface Judged {
  readonly query: string;
  /** Paths of files, or the ends of paths. */
  readonly relevant: readonly string[];
}

export interface Repository {
  readonly repository: string;
  /** The folder that published figures are about. */
  readonly part: string;
  readonly queries: readonly Judged[];
  readonly root: string;
}

const FOLDER = path.resolve(process.env.VIADUCT_SHARED ?? '../shared', 'eval/code');

/** Unpacks the repositories into a temporary folder; `undefined` when there are none. */
export function openRepositories():
  | { readonly repositories: readonly Repository[]; readonly folder: string }
  | undefined {
  if (!existsSync(path.join(FOLDER, 'queries.json'))) return undefined;
  const folder = mkdtempSync(path.join(tmpdir(), 'viaduct-search-'));
  const described = JSON.parse(readFileSync(path.join(FOLDER, 'queries.json'), 'utf8')) as Omit<Repository, 'root'>[];
  const repositories = described.map((one) => ({ ...one, root: unpack(one.repository, folder) }));
  return { repositories, folder };
}

function unpack(name: string, folder: string): string {
  execFileSync('tar', ['-xzf', path.join(FOLDER, `${name}.tar.gz`), '-C', folder]);
  return path.join(folder, name);
}

export const missingData = (): string => `no evaluation data in ${FOLDER} (set VIADUCT_SHARED): skipped`;

/** Returns whether a path is one of the relevant files. */
export const isRelevant = (file: string, relevant: string): boolean =>
  file === relevant || file.endsWith(`/${relevant}`);
