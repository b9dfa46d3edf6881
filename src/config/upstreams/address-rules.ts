import type { AddressKey, TransportManifest } from '../../upstream/transports/manifests/manifest.ts';
import { protocolOf, type TransportTable } from '../../upstream/transports/manifests/transport-table.ts';
import { type Finding, isMapping } from '../findings/finding.ts';
import { suggest } from '../findings/suggest.ts';
import type { PlacedEntry } from './placed-entry.ts';

type Mapping = Readonly<Record<string, unknown>>;
type Words = Pick<Finding, 'message' | 'hint'>;

/** One entry whose address is checked. */
interface Case {
  readonly entry: Mapping;
  /** Its transport; `undefined` if its type is unknown or it has no address. */
  readonly manifest: TransportManifest | undefined;
  readonly transports: TransportTable;
  /** Returns a finding about one of its keys. */
  readonly at: (name: string, words: Words) => Finding;
}

const LABELS: Readonly<Record<AddressKey, string>> = { command: 'a command', url: 'a url', ports: 'ports' };

/**
 * Checks that each entry has one address (a command, a url or ports), that its type and its transport agree with it, and
 * that it has no keys that mean nothing there.
 * @returns the problems, independent of other faults in the entries
 */
export function checkAddresses(entries: readonly PlacedEntry[], transports: TransportTable): Finding[] {
  return entries.flatMap(({ key, entry }) => {
    if (!isMapping(entry)) return [];
    const at: Case['at'] = (name, words) => ({ path: ['upstreams', key, name], at: 'key', ...words });
    return checkEntry({ entry, manifest: transports.forEntry(entry), transports, at });
  });
}

function checkEntry(one: Case): Finding[] {
  const [address, other] = one.transports.addressKeys.filter((key) => key in one.entry);
  if (address === undefined) return missingAddress(one);
  if (other !== undefined) {
    const message = `an entry has either ${LABELS[address]} or ${LABELS[other]}`;
    return [one.at(other, { message, hint: 'remove one of them' })];
  }
  const findings = [...strayKeys(one, address), ...wrongType(one, address)];
  return address === 'url' ? [...findings, ...wrongScheme(one), ...wrongUrl(one), ...idleTls(one)] : findings;
}

/** Returns the finding that an entry has no address; none if the mistake in another key explains that. */
function missingAddress({ entry, manifest, transports, at }: Case): Finding[] {
  const isKnownType = entry.type === undefined || manifest !== undefined;
  const isMeantOtherwise = (name: string) => isUrlElsewhere(name) || isMisspelt(name, transports);
  if (!isKnownType || Object.keys(entry).some(isMeantOtherwise)) return [];
  const wanted = transports.addressKeys.find((key) => manifest?.addresses[key] !== undefined) ?? 'command';
  return [at(wanted, { message: 'required, but missing' })];
}

const isUrlElsewhere = (name: string): boolean => name === 'serverUrl' || name === 'httpUrl';

/** The name `env` is nearly `url`. */
const isMisspelt = (name: string, transports: TransportTable): boolean =>
  !transports.keysBeside('command').includes(name) && suggest(name, ['command', 'url']) !== undefined;

/** Finds keys that mean something beside another address only, or for other transports only. */
function strayKeys({ entry, manifest, transports, at }: Case, address: AddressKey): Finding[] {
  const here = transports.keysBeside(address);
  const taken = manifest?.addresses[address]?.keys;
  const stray = (name: string, kind: string) => at(name, { message: `goes only with ${kind}`, hint: 'remove it' });
  const elsewhere = transports.addressKeys.flatMap((other) =>
    transports
      .keysBeside(other)
      .filter((name) => name in entry && !here.includes(name))
      .map((name) => stray(name, LABELS[other])),
  );
  const unused = taken === undefined ? [] : here.filter((name) => name in entry && !taken.includes(name));
  return [...elsewhere, ...unused.map((name) => stray(name, takersOf(name, address, transports)))];
}

/** Names the transports for which a key means something. */
function takersOf(name: string, address: AddressKey, transports: TransportTable): string {
  const takers = transports.manifests.filter(({ addresses }) => addresses[address]?.keys.includes(name));
  const names = takers.map(({ type, addresses }) => (address === 'url' && addresses.url?.carrier) || `type: ${type}`);
  return [...new Set(names)].join(' or ');
}

/** Finds a type that cannot have the address of the entry. */
function wrongType({ entry, manifest, transports, at }: Case, address: AddressKey): Finding[] {
  if (entry.type === undefined || manifest === undefined || manifest.addresses[address] !== undefined) return [];
  const types = transports.typesBy(address);
  if (address === 'url') {
    const wanted = transports.addressKeys.filter((key) => manifest.addresses[key] !== undefined);
    const message = `an entry of the type ${manifest.type} has ${wanted.map((key) => LABELS[key]).join(' or ')}`;
    return [at('type', { message, hint: 'remove it' })];
  }
  const message = `an entry with ${LABELS[address]} is of the type ${types.join(' or ')}`;
  return [at('type', { message, hint: address === 'ports' ? `write type: ${types[0]}` : 'remove it' })];
}

/** Finds a url that belongs to another type. */
function wrongScheme({ entry, manifest, transports, at }: Case): Finding[] {
  const protocols = manifest?.addresses.url?.protocols;
  const protocol = protocolOf(entry.url);
  if (manifest === undefined || protocols === undefined || !transports.protocols.includes(protocol)) return [];
  if (entry.type === undefined || protocols.includes(protocol)) return [];
  return [at('url', { message: `the url of the type ${manifest.type} begins with ${beginnings(protocols, ' or ')}` })];
}

/** Finds a url that its transport cannot use. */
function wrongUrl({ entry: { url }, manifest, transports, at }: Case): Finding[] {
  // A variable in it is checked once its value is known.
  if (typeof url !== 'string' || url.includes('${')) return [];
  const protocol = protocolOf(url);
  const own = manifest?.addresses.url?.protocols.includes(protocol) ? manifest : transports.forProtocol(protocol);
  const problem = own?.addresses.url?.check?.(url);
  return problem === undefined ? [] : [at('url', problem)];
}

/** Finds `tls` beside a url without encryption: the entry would only look encrypted. */
function idleTls({ entry, transports, at }: Case): Finding[] {
  const urls = transports.urlsWith('tls');
  const secure = [...new Set(urls.flatMap((url) => url.secure ?? []))];
  const protocol = protocolOf(entry.url);
  const isPlain = urls.some(({ protocols }) => protocols.includes(protocol)) && !secure.includes(protocol);
  if (!('tls' in entry) || !isPlain) return [];
  return [
    at('tls', { message: `goes only with a url that begins with ${beginnings(secure, ' or ')}`, hint: 'remove it' }),
  ];
}

const beginnings = (protocols: readonly string[], between: string): string =>
  protocols.map((protocol) => `${protocol}//`).join(between);
