import { type Finding, isMapping } from '../findings/finding.ts';
import { suggest } from '../findings/suggest.ts';
import { type EntryType, protocolOf, protocolsOf, typeOfEntry, URL_PROTOCOLS } from './entry-types.ts';
import type { PlacedEntry } from './upstream-rules.ts';

/** Keys that mean something only beside a command, only beside a url, or only beside ports. */
const BESIDE_COMMAND = ['args', 'env', 'cwd', 'inheritEnv'];
const BESIDE_URL = ['headers', 'tls', 'auth'];
const BESIDE_PORTS = ['workspace'];
/** Of these, what means something only where there is HTTP. */
const BESIDE_HTTP = ['headers', 'tls', 'auth'];

type Mapping = Readonly<Record<string, unknown>>;
type Placed = (name: string, words: Words) => Finding;
type Words = Pick<Finding, 'message' | 'hint'>;

/** An entry has a command, a url or ports, and no keys that belong to the others. */
export function checkKinds(entries: readonly PlacedEntry[]): Finding[] {
  return entries.flatMap(({ key, entry }) => {
    if (!isMapping(entry)) return [];
    const at: Placed = (name, words) => ({ path: ['upstreams', key, name], at: 'key', ...words });
    if ('command' in entry && 'url' in entry) {
      return [at('url', { message: 'an entry has either a command or a url', hint: 'remove one of them' })];
    }
    const type = typeOfEntry(entry);
    if ('ports' in entry) return checkPorts(entry, type, at);
    const misplaced = strayKeys(entry, BESIDE_PORTS, 'ports', at);
    if ('command' in entry) {
      return [...misplaced, ...strayKeys(entry, BESIDE_URL, 'a url', at), ...wrongType(entry, type, at)];
    }
    if ('url' in entry) {
      return [
        ...misplaced,
        ...strayKeys(entry, BESIDE_COMMAND, 'a command', at),
        ...strayHeaders(entry, type, at),
        ...wrongType(entry, type, at),
        ...wrongAddress(entry, at),
        ...idleTls(entry, at),
      ];
    }
    return isMeantOtherwise(entry, type) ? [] : [at(isStdio(type) ? 'command' : 'url', MISSING)];
  });
}

/** Ports are looked through on this machine: what belongs to a process or to a server by name has no place beside them. */
function checkPorts(
  entry: Mapping,
  type: EntryType | undefined,
  at: (name: string, words: Words) => Finding,
): Finding[] {
  const other = ['command', 'url'].find((name) => name in entry);
  if (other !== undefined) {
    return [at('ports', { message: `an entry has either a ${other} or ports`, hint: 'remove one of them' })];
  }
  const stray = [...strayKeys(entry, BESIDE_COMMAND, 'a command', at), ...strayKeys(entry, BESIDE_URL, 'a url', at)];
  if (type === undefined || type === 'ide-rest') return stray;
  return [
    ...stray,
    at('type', { message: 'an entry with ports is of the type ide-rest', hint: 'write type: ide-rest' }),
  ];
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

function strayKeys(entry: Mapping, names: readonly string[], kind: string, at: Placed): Finding[] {
  const words = { message: `goes only with ${kind}`, hint: 'remove it' };
  return names.filter((name) => name in entry).map((name) => at(name, words));
}

/** Where nothing is encrypted, nobody should believe that something is. */
function idleTls(entry: Mapping, at: Placed): Finding[] {
  const isPlain = ['http:', 'ws:'].includes(protocolOf(entry.url));
  if (!('tls' in entry) || !isPlain) return [];
  return [at('tls', { message: 'goes only with a url that begins with https:// or wss://', hint: 'remove it' })];
}

function strayHeaders(entry: Mapping, type: EntryType | undefined, at: Placed): Finding[] {
  return type === 'tcp' || type === 'unix' ? strayKeys(entry, BESIDE_HTTP, 'HTTP or WebSocket', at) : [];
}

/** Where the url is one of a kind of its own. */
function wrongAddress({ url }: Mapping, at: Placed): Finding[] {
  const protocol = protocolOf(url);
  // A variable in it is looked at when it is known.
  if (typeof url !== 'string' || url.includes('${')) return [];
  if (protocol === 'tcp:' && !/^tcp:\/\/[^/?#]+:\d+\/?$/i.test(url)) {
    return [at('url', { message: 'a tcp url has a host and a port', hint: 'such as tcp://127.0.0.1:9100' })];
  }
  if (protocol === 'unix:' && /^unix:\/*$/i.test(url)) {
    return [at('url', { message: 'a unix url has the path of a socket', hint: 'such as unix:///run/server.sock' })];
  }
  return [];
}

function wrongType(entry: Mapping, type: EntryType | undefined, at: Placed): Finding[] {
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
