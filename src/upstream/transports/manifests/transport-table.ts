import type { AddressKey, PortsAddress, TransportManifest, UrlAddress } from './manifest.ts';

/** An entry of the config, of any shape. */
type Entry = Readonly<Record<string, unknown>>;

const ADDRESS_KEYS: readonly AddressKey[] = ['command', 'url', 'ports'];

/** Answers what the manifests of transports say. The first of several transports with the same address is its default. */
export class TransportTable {
  readonly manifests: readonly TransportManifest[];

  constructor(manifests: readonly TransportManifest[]) {
    this.manifests = manifests;
  }

  /** Every spelling of `type` that the config accepts. */
  get spellings(): readonly string[] {
    return this.manifests.flatMap(spellingsOf);
  }

  /** The keys of which an entry has exactly one. */
  get addressKeys(): readonly AddressKey[] {
    return ADDRESS_KEYS.filter((key) => this.#by(key).length > 0);
  }

  /** The schemes of all urls, each once, with their colon. */
  get protocols(): readonly string[] {
    return [...new Set(this.manifests.flatMap(({ addresses }) => addresses.url?.protocols ?? []))];
  }

  /** Returns the transport of a spelling of `type`; `undefined` if there is none. */
  forSpelling(spelling: unknown): TransportManifest | undefined {
    return this.manifests.find((manifest) => spellingsOf(manifest).some((one) => one === spelling));
  }

  /** Returns the transport that is used for urls with this scheme if no type is written. */
  forProtocol(protocol: string): TransportManifest | undefined {
    return this.manifests.find(({ addresses }) => addresses.url?.protocols.includes(protocol));
  }

  /**
   * Returns the transport of an entry.
   * @returns `undefined` if its type is unknown, or if it has no address
   */
  forEntry(entry: Entry): TransportManifest | undefined {
    if (entry.type !== undefined) return this.forSpelling(entry.type);
    const key = ADDRESS_KEYS.find((name) => name in entry);
    if (key === undefined) return undefined;
    // A url that is not valid, or that has a variable in it, is checked elsewhere.
    return (key === 'url' ? this.forProtocol(protocolOf(entry.url)) : undefined) ?? this.#by(key)[0];
  }

  /** Returns the transport with this name. @throws Error if there is none */
  named(type: string): TransportManifest {
    const found = this.manifests.find((manifest) => manifest.type === type);
    if (found === undefined) throw new Error(`There is no transport "${type}"`);
    return found;
  }

  /** Returns how a transport is reached by a url. @throws Error if there is no such transport, or if it takes no url */
  urlOf(type: string): UrlAddress {
    const { url } = this.named(type).addresses;
    if (url === undefined) throw new Error(`The transport "${type}" takes no url`);
    return url;
  }

  /** Returns how a transport is reached by ports. @throws Error if there is no such transport, or if it takes no ports */
  portsOf(type: string): PortsAddress {
    const { ports } = this.named(type).addresses;
    if (ports === undefined) throw new Error(`The transport "${type}" takes no ports`);
    return ports;
  }

  /** Returns the names of the transports that take an address. */
  typesBy(key: AddressKey): readonly string[] {
    return this.#by(key).map(({ type }) => type);
  }

  /** Returns the keys that mean something beside an address for at least one transport, each once. */
  keysBeside(key: AddressKey): readonly string[] {
    return [...new Set(this.#by(key).flatMap(({ addresses }) => addresses[key]?.keys ?? []))];
  }

  /** Returns the url addresses for which a key means something. */
  urlsWith(name: string): readonly UrlAddress[] {
    return this.manifests.flatMap(({ addresses: { url } }) => (url?.keys.includes(name) ? [url] : []));
  }

  /**
   * Returns whether a key means something in an entry. Keys that do not depend on the transport always do.
   * @param entry an entry with an address, of any shape
   */
  takes(entry: Entry, name: string): boolean {
    if (!ADDRESS_KEYS.some((key) => this.keysBeside(key).includes(name))) return true;
    return ADDRESS_KEYS.some((key) => key in entry && this.#takesBeside(entry, key, name));
  }

  #takesBeside(entry: Entry, key: AddressKey, name: string): boolean {
    if (key !== 'url') return this.keysBeside(key).includes(name);
    return this.forEntry(entry)?.addresses.url?.keys.includes(name) ?? false;
  }

  #by(key: AddressKey): readonly TransportManifest[] {
    return this.manifests.filter(({ addresses }) => addresses[key] !== undefined);
  }
}

const spellingsOf = ({ type, otherSpellings = [] }: TransportManifest): readonly string[] => [type, ...otherSpellings];

/** Returns the scheme of a url, such as `https:`; `''` if there is none. */
export function protocolOf(url: unknown): string {
  return typeof url === 'string' && URL.canParse(url) ? new URL(url).protocol : '';
}
