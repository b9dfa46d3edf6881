import { type EntryType, protocolOf, protocolsOf, typeOfEntry, URL_PROTOCOLS } from './entry-types.ts';
import { type Finding, isMapping } from './finding.ts';
import { suggest } from './suggest.ts';
import type { PlacedEntry } from './upstream-rules.ts';

/** Keys that mean something only beside a command, or only beside a url. */
const BESIDE_COMMAND = ['args', 'env', 'cwd', 'inheritEnv'];
const BESIDE_URL = ['headers', 'auth'];

type Mapping = Readonly<Record<string, unknown>>;
type Words = Pick<Finding, 'message' | 'hint'>;

/** An entry has a command or a url, and no keys that belong to the other. */
export function checkKinds(entries: readonly PlacedEntry[]): Finding[] {
  return entries.flatMap(({ key, entry }) => {
    if (!isMapping(entry)) return [];
    const at = (name: string, words: Words): Finding => ({ path: ['upstreams', key, name], at: 'key', ...words });
    if ('command' in entry && 'url' in entry) {
      return [at('url', { message: 'an entry has either a command or a url', hint: 'remove one of them' })];
    }
    const type = typeOfEntry(entry);
    if ('command' in entry) return [...strayKeys(entry, BESIDE_URL, 'a url', at), ...wrongType(entry, type, at)];
    if ('url' in entry) return [...strayKeys(entry, BESIDE_COMMAND, 'a command', at), ...wrongType(entry, type, at)];
    return isMeantOtherwise(entry, type) ? [] : [at(isStdio(type) ? 'command' : 'url', MISSING)];
  });
}

const MISSING: Words = { message: 'required, but missing' };

const isStdio = (type: EntryType | undefined): boolean => type === undefined || type === 'stdio';

/** Something else is said of such an entry, and what is missing follows from it. */
function isMeantOtherwise(entry: Mapping, type: EntryType | undefined): boolean {
  const isKnownType = entry.type === undefined || type !== undefined;
  return !isKnownType || Object.keys(entry).some((name) => isUrlElsewhere(name) || isMisspelt(name));
}

const isUrlElsewhere = (name: string): boolean => name === 'serverUrl' || name === 'httpUrl';

/** `env` is nearly `url`. */
const isMisspelt = (name: string): boolean =>
  !BESIDE_COMMAND.includes(name) && suggest(name, ['command', 'url']) !== undefined;

function strayKeys(
  entry: Mapping,
  names: readonly string[],
  kind: string,
  at: (name: string, words: Words) => Finding,
): Finding[] {
  const words = { message: `goes only with ${kind}`, hint: 'remove it' };
  return names.filter((name) => name in entry).map((name) => at(name, words));
}

function wrongType(
  entry: Mapping,
  type: EntryType | undefined,
  at: (name: string, words: Words) => Finding,
): Finding[] {
  if (entry.type === undefined || type === undefined) return [];
  const protocols = protocolsOf(type);
  if ('command' in entry) {
    if (type === 'stdio') return [];
    return [at('type', { message: 'an entry with a command is of the type stdio', hint: 'remove it' })];
  }
  if (type === 'stdio') return [at('type', { message: 'an entry of the type stdio has a command', hint: 'remove it' })];
  const protocol = protocolOf(entry.url);
  if (!URL_PROTOCOLS.includes(protocol) || protocols.includes(protocol)) return [];
  return [
    at('url', {
      message: `the url of the type ${type} begins with ${protocols.map((each) => `${each}//`).join(' or ')}`,
    }),
  ];
}
