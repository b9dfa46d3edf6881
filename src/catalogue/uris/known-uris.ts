import type { ListedUri, UriRecord } from '../../core/uris/uri-log.ts';
import { digestOf, NamedUris } from './named-uris.ts';

/** The owners of uris, as records make them: in the order of the records, the first claim to a uri counts. */
export class KnownUris {
  readonly named = new NamedUris();
  /** The key of the owner that lists a uri, by uri. */
  readonly #listed = new Map<string, string>();
  /** The uris that an upstream lists and another one owns, by the upstream's key. */
  readonly #shared = new Map<string, Set<string>>();
  /** Kept until an owner changes. */
  #templates: readonly ListedUri[] | undefined;
  #revision = 0;

  /** A number that changes as soon as any uri may have another public form. */
  get revision(): number {
    return this.#revision;
  }

  /** The number of uris that have an owner. */
  get size(): number {
    return this.#listed.size + this.named.size;
  }

  /** Returns the key of the upstream that owns a uri; `undefined` if it has no owner. */
  ownerOf(uri: string): string | undefined {
    return this.#listed.get(uri) ?? this.named.namerOf(uri);
  }

  /** Returns the key of the owner that lists a uri; `undefined` if it is not listed. */
  listerOf(uri: string): string | undefined {
    return this.#listed.get(uri);
  }

  /** Returns whether an upstream may own a uri by listing it: no upstream lists it, and no other has named it. */
  isFree({ key, uri }: ListedUri): boolean {
    return !this.#listed.has(uri) && (this.named.namerOf(uri) ?? key) === key;
  }

  /** Tells whether an upstream lists a uri that another one owns. */
  isShared({ key, uri }: ListedUri): boolean {
    return this.#shared.get(key)?.has(uri) === true;
  }

  /** Returns the listed uri templates, and their owners. */
  templates(): readonly ListedUri[] {
    this.#templates ??= this.listed().filter(({ uri }) => uri.includes('{'));
    return this.#templates;
  }

  /** Returns the listed uris, and their owners. */
  listed(): ListedUri[] {
    return [...this.#listed].map(([uri, key]) => ({ key, uri }));
  }

  /** Returns the keys of all owners. */
  owners(): ReadonlySet<string> {
    return new Set([...this.#listed.values(), ...this.named.keys()]);
  }

  /** Takes over what the next record says. */
  take(record: UriRecord): void {
    if ('released' in record) this.#release(record.released);
    else if ('digest' in record) this.named.add(record);
    else this.#list(record);
  }

  /** Notes that an upstream lists a uri that another one owns. */
  share({ key, uri }: ListedUri): void {
    const shared = this.#shared.get(key) ?? new Set();
    if (!shared.has(uri)) this.#revision++;
    this.#shared.set(key, shared.add(uri));
  }

  /** Forgets all owners. */
  clear(): void {
    this.#revision++;
    this.#listed.clear();
    this.named.clear();
    this.#templates = undefined;
  }

  #list(listed: ListedUri): void {
    if (!this.isFree(listed)) return;
    const { key, uri } = listed;
    this.#revision++;
    this.#listed.set(uri, key);
    if (uri.includes('{')) this.#templates = undefined;
    if (this.named.size > 0) this.named.remove({ key, digest: digestOf(uri) });
  }

  #release(key: string): void {
    this.#revision++;
    for (const [uri, owner] of this.#listed) if (owner === key) this.#listed.delete(uri);
    this.named.release(key);
    this.#templates = undefined;
    // Those that shared a uri with it may own it when they list it again.
    this.#shared.clear();
  }
}
