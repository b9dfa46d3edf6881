import path from 'node:path';
import type { Repository } from './find-repository.ts';
import type { Git } from './run-git.ts';
import { textOf } from './small-file.ts';

const MAX_BYTES = 1024 * 1024;

export interface GitConfig {
  /** Section and variable in small letters, the part between them as it is; a variable may have several values. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** False where git did not read the repository's own file: we did, but not what it includes. */
  readonly isWhole: boolean;
}

export async function readGitConfig(repository: Repository, git: Git): Promise<GitConfig> {
  const answer = await git(['config', '--list', '--show-scope', '-z'], MAX_BYTES);
  const listed = answer === undefined || answer.isCut ? [] : listedEntries(answer.bytes.toString());
  // In a repository of another user, git leaves out its config and says nothing of it.
  const isWhole = listed.some(({ scope }) => scope === 'local');
  const entries = listed.map(({ entry }) => entry);
  if (!isWhole) entries.push(...writtenEntries(await textOf(path.join(repository.commonDir, 'config'))));
  return { values: gathered(entries), isWhole };
}

type Entry = readonly [key: string, value: string];

function gathered(entries: readonly Entry[]): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const [key, value] of entries) {
    const known = values.get(key);
    if (known === undefined) values.set(key, [value]);
    else known.push(value);
  }
  return values;
}

/** `text` has the scope, NUL, the key, a line end, the value and NUL of each entry. */
function listedEntries(text: string): { scope: string; entry: Entry }[] {
  const fields = text.split('\0');
  const entries: { scope: string; entry: Entry }[] = [];
  for (let index = 0; index + 2 < fields.length; index += 2) {
    const [scope, whole] = [fields[index]!, fields[index + 1]!];
    const keyEnd = whole.indexOf('\n');
    entries.push({ scope, entry: keyEnd === -1 ? [whole, ''] : [whole.slice(0, keyEnd), whole.slice(keyEnd + 1)] });
  }
  return entries;
}

/** Reads as much of git's file format as addresses of remotes need. */
function writtenEntries(text: string): Entry[] {
  const entries: Entry[] = [];
  let section = '';
  for (const line of text.split(/\r?\n/)) {
    const head = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line);
    if (head !== null) {
      const name = head[1]!.toLowerCase();
      section = head[2] === undefined ? name : `${name}.${head[2].replaceAll(/\\(.)/g, '$1')}`;
      continue;
    }
    const [before = '', name] = /^\s*([A-Za-z][\w-]*)\s*=/.exec(line) ?? [];
    if (name === undefined) continue;
    entries.push([`${section}.${name.toLowerCase()}`, bareValue(line.slice(before.length).trim())]);
  }
  return entries;
}

function bareValue(value: string): string {
  return /^"([^"]*)"/.exec(value)?.[1] ?? value.split(/[#;]/, 1)[0]!.trimEnd();
}

/** Address of `origin`, as `git remote --verbose` shows it. */
export function originAddress(config: GitConfig): string | undefined {
  const address = config.values.get('remote.origin.url')?.[0];
  return address === undefined || address === '' ? undefined : withFullPrefix(config, address);
}

/** Address of the remote that says which project this is: `origin`, else the branch's, else the first by name. */
export function remoteAddress(config: GitConfig, branch: string | undefined): string | undefined {
  const tracked = config.values.get(`branch.${branch}.remote`)?.at(-1);
  const others = [...config.values.keys()].flatMap((key) => /^remote\.(.+)\.url$/s.exec(key)?.[1] ?? []).sort();
  for (const name of ['origin', ...(tracked === undefined ? [] : [tracked]), ...others]) {
    const address = config.values.get(`remote.${name}.url`)?.[0];
    if (address !== undefined && address !== '') return withFullPrefix(config, address);
  }
  return undefined;
}

/** `url.<prefix>.insteadOf`: people write `work:billing` for an address that begins with something long. */
function withFullPrefix(config: GitConfig, address: string): string {
  let best = { short: '', full: '' };
  for (const [key, shorts] of config.values) {
    const full = /^url\.(.+)\.insteadof$/s.exec(key)?.[1];
    if (full === undefined) continue;
    for (const short of shorts) {
      if (address.startsWith(short) && short.length > best.short.length) best = { short, full };
    }
  }
  return best.full + address.slice(best.short.length);
}
