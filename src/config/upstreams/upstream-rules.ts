import type { TransportTable } from '../../upstream/transports/manifests/transport-table.ts';
import { type Finding, isMapping } from '../findings/finding.ts';
import { checkAddresses } from './address-rules.ts';
import { UPSTREAM_KEY } from './entry-schema.ts';
import type { PlacedEntry } from './placed-entry.ts';

type Words = Pick<Finding, 'message' | 'hint'>;

/**
 * Checks the names, the addresses and the prefixes of entries.
 * @param reservedPrefixes maps a prefix to its owner, such as `workflow xcode-ide`
 * @returns the problems, independent of other faults in the entries
 */
export function checkUpstreams(
  entries: readonly PlacedEntry[],
  reservedPrefixes: Readonly<Record<string, string>>,
  transports: TransportTable,
): Finding[] {
  return [...checkKeys(entries), ...checkAddresses(entries, transports), ...checkPrefixes(entries, reservedPrefixes)];
}

function checkKeys(entries: readonly PlacedEntry[]): Finding[] {
  const message = 'not a name that an upstream can have';
  const hint = 'at most 40 letters, digits, _ and -, beginning with a letter or a digit';
  return entries
    .filter(({ key }) => !UPSTREAM_KEY.test(key))
    .map(({ key }) => ({ path: ['upstreams', key], at: 'key', message, hint }));
}

/** Entries that are disabled take no prefix: two variants of one server may stand side by side. */
function checkPrefixes(entries: readonly PlacedEntry[], reserved: Readonly<Record<string, string>>): Finding[] {
  const owners = new Map<string, PlacedEntry>();
  const findings: Finding[] = [];
  for (const entry of entries) {
    const prefix = prefixOf(entry);
    if (prefix === undefined) continue;
    const problem = reservedProblem(prefix, reserved) ?? takenProblem(prefix, owners.get(prefix));
    if (problem === undefined) owners.set(prefix, entry);
    else findings.push({ ...placeOfPrefix(entry), ...problem });
  }
  return findings;
}

/** Returns the prefix that an entry takes; `undefined` if it is disabled or its prefix is no text. */
export function prefixOf({ key, entry }: Pick<PlacedEntry, 'key' | 'entry'>): string | undefined {
  if (!isMapping(entry) || entry.disabled === true) return undefined;
  const prefix = 'prefix' in entry ? entry.prefix : key;
  return typeof prefix === 'string' ? prefix : undefined;
}

function reservedProblem(prefix: string, reserved: Readonly<Record<string, string>>): Words | undefined {
  if (!Object.hasOwn(reserved, prefix)) return undefined;
  const message = `the prefix "${prefix}" is reserved for ${reserved[prefix]}`;
  return { message, hint: 'give this entry another prefix' };
}

function takenProblem(prefix: string, owner: PlacedEntry | undefined): Words | undefined {
  if (owner === undefined) return undefined;
  const place = `upstreams.${owner.key} (line ${owner.line})`;
  if (prefix === '') return { message: `${place} has the empty prefix already`, hint: 'only one entry can have it' };
  return { message: `${place} has the prefix "${prefix}" already`, hint: 'give one of them another prefix' };
}

function placeOfPrefix({ key, entry }: PlacedEntry): Pick<Finding, 'path' | 'at'> {
  const isWritten = isMapping(entry) && 'prefix' in entry;
  return isWritten ? { path: ['upstreams', key, 'prefix'] } : { path: ['upstreams', key], at: 'key' };
}
