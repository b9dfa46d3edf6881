import type { PublicUris } from '../../core/uris/public-uris.ts';
import { NO_URI_LOG, type UriClaim, type UriLog, type UriRecord } from '../../core/uris/uri-log.ts';
import { kindOfUri, ownedForm } from './public-form.ts';

/** Uris that an upstream names in answers without listing them are kept up to this number; then the oldest go. */
const MAX_NAMED = 10_000;
/** Longer ones are no names: `data:` uris carry their whole content. */
const MAX_LENGTH = 2_048;
/** Claims of uris that are only named may be many; they are written together after this time, in milliseconds. */
const WRITE_MS = 200;
/** The log is written anew when it has so many records that mean nothing any more. */
const MAX_VOID = 20_000;

/**
 * Knows which upstream owns each uri: the first one that lists it, or names it in an answer. It keeps the uri, also while it
 * is away or lists it no more, until its entry leaves the config. All of it is in the log, so that a restart, or another
 * order of starts, changes no owner.
 */
export class UriOwners implements PublicUris {
  readonly #log: UriLog;
  readonly #owners = new Map<string, UriClaim>();
  /** By key: the uris that are only named, the oldest first. */
  readonly #named = new Map<string, Set<string>>();
  /** Kept until an owner changes. */
  #templates: readonly UriClaim[] | undefined;
  #unwritten: UriClaim[] = [];
  #timer: NodeJS.Timeout | undefined;
  #records = 0;

  constructor(log: UriLog = NO_URI_LOG) {
    this.#log = log;
    this.#takeAll(log.read());
  }

  /** The key of the upstream that owns a uri; `undefined` where nobody does. */
  ownerOf(uri: string): string | undefined {
    return this.#owners.get(uri)?.key;
  }

  /** The uri templates that somebody owns. */
  templates(): readonly UriClaim[] {
    this.#templates ??= [...this.#owners.values()].filter(({ uri }) => uri.includes('{'));
    return this.#templates;
  }

  /** Upstreams list these uris. Whoever comes first owns a uri that nobody owned; the log has it when this returns. */
  onListed(uris: Iterable<{ readonly key: string; readonly uri: string }>): void {
    const claims: UriClaim[] = [];
    for (const { key, uri } of uris) {
      const owner = this.#owners.get(uri);
      if (owner === undefined || (owner.key === key && !owner.isListed)) claims.push({ key, uri, isListed: true });
    }
    if (claims.length > 0) this.#write(claims);
  }

  publicUri(key: string, uri: string): string {
    const kind = kindOfUri(uri);
    if (kind === 'owned') return ownedForm({ key, uri });
    const owner = this.ownerOf(uri);
    if (owner === undefined && kind === 'address') this.onNamed(key, uri);
    return owner === undefined || owner === key ? uri : ownedForm({ key, uri });
  }

  /** An upstream has answered for a uri that nobody owned, or has named it. */
  onNamed(key: string, uri: string): void {
    if (uri === '' || uri.length > MAX_LENGTH || this.#owners.has(uri)) return;
    const claim = { key, uri, isListed: false };
    this.#claim(claim);
    this.#unwritten.push(claim);
    this.#timer ??= setTimeout(() => this.flush(), WRITE_MS).unref();
  }

  /** The config has these upstreams and no others: what the others owned is free. */
  keepOnly(keys: ReadonlySet<string>): void {
    const gone = new Set([...this.#owners.values()].map(({ key }) => key).filter((key) => !keys.has(key)));
    if (gone.size > 0) this.#write([...gone].map((released) => ({ released })));
  }

  /** Writes what is not written yet. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#unwritten.length > 0) this.#write([]);
  }

  #write(records: readonly UriRecord[]): void {
    const all = [...this.#unwritten, ...records];
    for (const claim of this.#unwritten) this.#forget(claim);
    this.#unwritten = [];
    const added = this.#log.append(all);
    if (added !== undefined) for (const record of added) this.#take(record);
    else this.#readAgain(all);
    if (this.#records - this.#owners.size > MAX_VOID) this.#shorten();
  }

  /** Another gateway has replaced the log, perhaps without what this one wrote last. */
  #readAgain(records: readonly UriRecord[]): void {
    const before = [...this.#owners.values()];
    this.#takeAll(this.#log.read());
    const missing = before.filter(({ uri }) => !this.#owners.has(uri));
    for (const record of this.#log.append([...missing, ...records]) ?? []) this.#take(record);
  }

  #takeAll(records: readonly UriRecord[]): void {
    this.#owners.clear();
    this.#named.clear();
    this.#templates = undefined;
    this.#records = 0;
    for (const record of records) this.#take(record);
  }

  #shorten(): void {
    const claims = [...this.#owners.values()];
    this.#log.replace(claims);
    this.#records = claims.length;
  }

  #take(record: UriRecord): void {
    this.#records++;
    if ('released' in record) this.#release(record.released);
    else this.#claim(record);
  }

  #claim(claim: UriClaim): void {
    const { key, uri, isListed } = claim;
    const owner = this.#owners.get(uri);
    if (owner !== undefined && (owner.key !== key || owner.isListed)) return;
    this.#owners.set(uri, claim);
    if (uri.includes('{')) this.#templates = undefined;
    if (isListed) this.#named.get(key)?.delete(uri);
    else if (owner === undefined) this.#keepNamed(claim);
  }

  #keepNamed({ key, uri }: UriClaim): void {
    const named = this.#named.get(key) ?? new Set();
    this.#named.set(key, named);
    named.add(uri);
    if (named.size <= MAX_NAMED) return;
    const [oldest] = named;
    named.delete(oldest!);
    this.#owners.delete(oldest!);
  }

  #forget({ key, uri }: UriClaim): void {
    const owner = this.#owners.get(uri);
    if (owner?.key !== key || owner.isListed) return;
    this.#owners.delete(uri);
    this.#named.get(key)?.delete(uri);
  }

  #release(key: string): void {
    this.#templates = undefined;
    for (const [uri, owner] of this.#owners) if (owner.key === key) this.#owners.delete(uri);
    this.#named.delete(key);
  }
}
