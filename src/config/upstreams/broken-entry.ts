import type { UpstreamEntry } from '../../core/settings/upstream-entry.ts';
import { type ConfigIssue, issueLine } from '../findings/config-error.ts';
import { type Finding, isMapping } from '../findings/finding.ts';

/** An entry under `upstreams` that cannot be used as it stands. The others can. */
export interface BrokenEntry {
  readonly key: string;
  readonly prefix: string;
  /** True if it has `disabled: true`, so it is not missed. */
  readonly isDisabled: boolean;
  /** Its faults, at least one. */
  readonly issues: readonly ConfigIssue[];
  /**
   * The entry as far as it can be understood, for what must be known although it does not run: which files it names and
   * which of its values are secret.
   */
  readonly partial: UpstreamEntry | undefined;
}

/** Returns the key of the entry that a finding is about; `undefined` if it is about anything else. */
export function entryOf({ path: [section, key] }: Pick<Finding, 'path'>): string | undefined {
  return section === 'upstreams' && key !== undefined ? String(key) : undefined;
}

/**
 * Returns the keys of the entries that have a fault.
 * @param keys the keys of all entries
 * @returns `undefined` if there is a fault outside of entries, so that the whole file cannot be used
 */
export function brokenKeys(findings: readonly Finding[], keys: readonly string[]): ReadonlySet<string> | undefined {
  const known = new Set(keys);
  const broken = new Set<string>();
  for (const finding of findings) {
    const key = entryOf(finding);
    if (key === undefined || !known.has(key)) return undefined;
    broken.add(key);
  }
  return broken;
}

/** Returns the value of a file without these entries. */
export function withoutEntries(file: unknown, keys: ReadonlySet<string>): unknown {
  if (keys.size === 0 || !isMapping(file) || !isMapping(file.upstreams)) return file;
  const left = Object.entries(file.upstreams).filter(([key]) => !keys.has(key));
  return { ...file, upstreams: Object.fromEntries(left) };
}

/** Describes in one line what is wrong with an entry, where, and what to do. */
export function brokenReason({ issues }: Pick<BrokenEntry, 'issues'>): string {
  return issues.length === 0 ? 'its entry in the config cannot be used' : issueLine(issues);
}
