import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { IgnoreRules } from './ignore-rules.ts';
import { RuleChain } from './rule-chain.ts';

/** The largest file of rules, in bytes. */
const MAX_RULES_BYTES = 256 * 1024;

/** The limit on the depth below the top of a repository: real folders are not deeper. */
const MAX_ABOVE = 30;

/** Returns the rules of a file; none when there is none, or it is no file. */
export function rulesOf(file: string): IgnoreRules | undefined {
  const text = smallText(file);
  return text === undefined ? undefined : new IgnoreRules(text);
}

function smallText(file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isFile() || stats.size > MAX_RULES_BYTES) return undefined;
  return readFileSync(file, 'utf8');
}

/** Returns the rules that hold in a folder before those that lie in it: `info/exclude`, and those of the folders above it. */
export function outerRules(root: string): RuleChain {
  const top = topOf(root);
  if (top === undefined) return new RuleChain();
  const excluded = rulesOf(excludeFile(top));
  const above = aboveRoot(top, root);
  let chain = excluded === undefined ? new RuleChain() : new RuleChain().withOuter(excluded, above);
  for (const folder of foldersBetween(top, root)) {
    const rules = rulesOf(path.join(folder, '.gitignore'));
    if (rules !== undefined) chain = chain.withOuter(rules, aboveRoot(folder, root));
  }
  return chain;
}

/** Returns the folder that has `.git`: the root or one above it. */
function topOf(root: string): string | undefined {
  let folder = root;
  for (let up = 0; up < MAX_ABOVE; up++) {
    if (existsSync(path.join(folder, '.git'))) return folder;
    const next = path.dirname(folder);
    if (next === folder) return undefined;
    folder = next;
  }
  return undefined;
}

function foldersBetween(top: string, root: string): string[] {
  const folders: string[] = [];
  for (let folder = path.dirname(root); folder.length >= top.length && root !== top; folder = path.dirname(folder)) {
    folders.unshift(folder);
    if (folder === top) break;
  }
  return folders;
}

function aboveRoot(folder: string, root: string): string {
  const way = path.relative(folder, root).split(path.sep).join('/');
  return way === '' ? '' : `${way}/`;
}

/**
 * Returns the path of the exclude file. In a worktree `.git` is a file that names a folder, and `commondir` in that
 * folder names the folder that worktrees share.
 */
function excludeFile(top: string): string {
  const git = path.join(top, '.git');
  const linked = /^gitdir: (.+)$/m.exec(smallText(git) ?? '')?.[1];
  const own = linked === undefined ? git : path.resolve(top, linked.trim());
  const common = smallText(path.join(own, 'commondir'))?.trim();
  return path.join(common === undefined ? own : path.resolve(own, common), 'info', 'exclude');
}
