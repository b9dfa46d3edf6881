import type { PublicUris } from '../../core/uris/public-uris.ts';
import { type ListedUri, type NamedUri, NO_URI_LOG, type UriLog, type UriRecord } from '../../core/uris/uri-log.ts';
import { digestOf, NamedUris } from './named-uris.ts';
import { kindOfUri, ownedForm } from './public-form.ts';

/** Uris that are only named may be many: they are written together after this time, in milliseconds. */
const WRITE_MS = 200;
/** The log is written anew when it has so many records that mean nothing any more. */
const MAX_VOID = 20_000;

/**
 * Knows which upstream owns each uri: the first one that lists it, or names it in an answer before anybody lists it. It keeps
 * the uri, also while it is away or lists it no more, until its entry leaves the config. All of it is in the log, so that
 * neither a restart nor another order of starts changes an owner.
 */
export class UriOwners implements PublicUris {
  readonly #log: UriLog;
  /** By uri: the key of the owner that lists it. */
  readonly #listed = new Map<string, string>();
  readonly #named = new NamedUris();
  /** By key: the uris that this upstream lists and another one owns. */
  readonly #shared = new Map<string, Set<string>>();
  /** Kept until an owner changes. */
  #templates: readonly ListedUri[] | undefined;
  #unwritten: NamedUri[] = [];
  #timer: NodeJS.Timeout | undefined;
  #records = 0;
  #revision = 0;

  constructor(log: UriLog = NO_URI_LOG) {
    this.#log = log;
    this.#takeAll(log.read());
  }

  /** The key of the upstream that owns a uri; `undefined` where nobody does. */
  ownerOf(uri: string): string | undefined {
    return this.#listed.get(uri) ?? this.#named.namerOf(uri);
  }

  /** Another number as soon as any uri may have another public form. */
  get revision(): number {
    return this.#revision;
  }

  /** The uri templates that somebody lists, and their owners. */
  templates(): readonly ListedUri[] {
    this.#templates ??= [...this.#listed].flatMap(([uri, key]) => (uri.includes('{') ? [{ uri, key }] : []));
    return this.#templates;
  }

  /** Upstreams list these uris. Whoever comes first owns a uri that nobody owned; the log has it when this returns. */
  onListed(uris: readonly ListedUri[]): void {
    const free = uris.filter(({ key, uri }) => !this.#listed.has(uri) && (this.#named.namerOf(uri) ?? key) === key);
    if (free.length > 0) this.#write(free);
    for (const { key, uri } of uris) if (this.ownerOf(uri) !== key) this.#share(key, uri);
  }

  /**
   * In a scheme of a server's own it always names the owner. Any other uri stays as it is for its owner, and in answers of all
   * upstreams as long as nobody lists it.
   */
  publicUri(key: string, uri: string): string {
    const kind = kindOfUri(uri);
    if (kind === 'owned') return ownedForm({ key, uri });
    const owner = this.#listed.get(uri);
    if (owner === key) return uri;
    if (owner !== undefined || this.#shared.get(key)?.has(uri) === true) return ownedForm({ key, uri });
    if (kind === 'address') this.onNamed(key, uri);
    return uri;
  }

  /** An upstream has answered for a uri, or has named it: where nobody owned it, it is the upstream's from now on. */
  onNamed(key: string, uri: string): void {
    if (this.ownerOf(uri) !== undefined) return;
    const claim = { key, digest: digestOf(uri) };
    this.#named.add(claim);
    this.#unwritten.push(claim);
    this.#timer ??= setTimeout(() => this.flush(), WRITE_MS).unref();
  }

  /** The config has these upstreams and no others: what the others owned is free. */
  keepOnly(keys: ReadonlySet<string>): void {
    const owners = new Set([...this.#listed.values(), ...this.#named.keys()]);
    const gone = [...owners].filter((key) => !keys.has(key));
    if (gone.length > 0) this.#write(gone.map((released) => ({ released })));
  }

  /** Writes what is not written yet. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#unwritten.length > 0) this.#write([]);
  }

  /** What counts is the order in the log: another gateway may have been faster. */
  #write(records: readonly UriRecord[]): void {
    const all = [...this.#unwritten, ...records];
    for (const claim of this.#unwritten) this.#named.remove(claim);
    this.#unwritten = [];
    const added = this.#log.append(all);
    if (added === undefined) this.#readAgain(all);
    else for (const record of added) this.#take(record);
    if (this.#records - this.#listed.size - this.#named.size > MAX_VOID) this.#shorten();
  }

  /** Another gateway has replaced the log, perhaps without what this one wrote last. */
  #readAgain(records: readonly UriRecord[]): void {
    const [listed, named] = [this.#listedClaims(), this.#named.all()];
    this.#takeAll(this.#log.read());
    const missing = [
      ...listed.filter(({ uri }) => this.ownerOf(uri) === undefined),
      ...named.filter((claim) => !this.#named.has(claim.digest)),
    ];
    for (const record of this.#log.append([...missing, ...records]) ?? []) this.#take(record);
  }

  #takeAll(records: readonly UriRecord[]): void {
    this.#revision++;
    this.#listed.clear();
    this.#named.clear();
    this.#templates = undefined;
    this.#records = 0;
    for (const record of records) this.#take(record);
  }

  #shorten(): void {
    const claims = [...this.#listedClaims(), ...this.#named.all()];
    this.#log.replace(claims);
    this.#records = claims.length;
  }

  #take(record: UriRecord): void {
    this.#records++;
    if ('released' in record) this.#release(record.released);
    else if ('digest' in record) this.#named.add(record);
    else this.#list(record);
  }

  #list({ key, uri }: ListedUri): void {
    if (this.#listed.has(uri) || (this.#named.namerOf(uri) ?? key) !== key) return;
    this.#revision++;
    this.#listed.set(uri, key);
    if (uri.includes('{')) this.#templates = undefined;
    if (this.#named.size > 0) this.#named.remove({ key, digest: digestOf(uri) });
  }

  #share(key: string, uri: string): void {
    const shared = this.#shared.get(key) ?? new Set();
    if (!shared.has(uri)) this.#revision++;
    this.#shared.set(key, shared.add(uri));
  }

  #release(key: string): void {
    this.#revision++;
    for (const [uri, owner] of this.#listed) if (owner === key) this.#listed.delete(uri);
    this.#named.release(key);
    this.#templates = undefined;
    // Those that shared a uri with it may own it when they list it again.
    this.#shared.clear();
  }

  #listedClaims(): ListedUri[] {
    return [...this.#listed].map(([uri, key]) => ({ key, uri }));
  }
}
