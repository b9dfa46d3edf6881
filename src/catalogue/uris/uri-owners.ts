import type { PublicUris } from '../../core/uris/public-uris.ts';
import { type ListedUri, type NamedUri, NO_URI_LOG, type UriLog, type UriRecord } from '../../core/uris/uri-log.ts';
import { KnownUris } from './known-uris.ts';
import { digestOf } from './named-uris.ts';
import { kindOfUri, ownedForm } from './public-form.ts';

/** Uris that are only named may be many: they are written together after this time, in milliseconds. */
const WRITE_MS = 200;
/** The number of obsolete records above which the log is rewritten. */
const MAX_VOID = 20_000;

/**
 * Knows which upstream owns each uri: the first one that lists it, or names it in an answer before any upstream lists
 * it. It keeps the uri, also while it is away or lists it no more, until its entry leaves the config. All of it is in
 * the log, so that
 * neither a restart nor another order of starts changes an owner.
 */
export class UriOwners implements PublicUris {
  readonly #log: UriLog;
  readonly #known = new KnownUris();
  #unwritten: NamedUri[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** The number of records that the log has. */
  #records = 0;

  constructor(log: UriLog = NO_URI_LOG) {
    this.#log = log;
    this.#takeAll(log.read());
  }

  /** Returns the key of the upstream that owns a uri; `undefined` if it has no owner. */
  ownerOf(uri: string): string | undefined {
    return this.#known.ownerOf(uri);
  }

  /** A number that changes as soon as any uri may have another public form. */
  get revision(): number {
    return this.#known.revision;
  }

  /** Returns the listed uri templates, and their owners. */
  templates(): readonly ListedUri[] {
    return this.#known.templates();
  }

  /**
   * Takes note of uris that upstreams list. A uri without an owner belongs to the first upstream that lists it; it is
   * in the log when this returns.
   */
  onListed(uris: readonly ListedUri[]): void {
    const free = uris.filter((listed) => this.#known.isFree(listed));
    if (free.length > 0) this.#write(free);
    for (const listed of uris) if (this.ownerOf(listed.uri) !== listed.key) this.#known.share(listed);
  }

  /**
   * Returns the uri that clients use. In a scheme of a server's own it always names the owner. Any other uri stays as it is for
   * its owner, and in answers of all upstreams until an upstream lists it.
   */
  publicUri(key: string, uri: string): string {
    const kind = kindOfUri(uri);
    if (kind === 'owned') return ownedForm({ key, uri });
    const owner = this.#known.listerOf(uri);
    if (owner === key) return uri;
    if (owner !== undefined || this.#known.isShared({ key, uri })) return ownedForm({ key, uri });
    if (kind === 'address') this.onNamed(key, uri);
    return uri;
  }

  /** Notes that an upstream has answered for a uri, or has named it: if it had no owner, the upstream owns it from now on. */
  onNamed(key: string, uri: string): void {
    if (this.ownerOf(uri) !== undefined) return;
    const claim = { key, digest: digestOf(uri) };
    this.#known.named.add(claim);
    this.#unwritten.push(claim);
    this.#timer ??= setTimeout(() => this.flush(), WRITE_MS).unref();
  }

  /** Takes note that the config has these upstreams and no others: what the others owned is free. */
  keepOnly(keys: ReadonlySet<string>): void {
    const gone = [...this.#known.owners()].filter((key) => !keys.has(key));
    if (gone.length > 0) this.#write(gone.map((released) => ({ released })));
  }

  /** Writes what is not written yet. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#unwritten.length > 0) this.#write([]);
  }

  /** The order in the log counts: another gateway may have been faster. */
  #write(records: readonly UriRecord[]): void {
    const all = [...this.#unwritten, ...records];
    for (const claim of this.#unwritten) this.#known.named.remove(claim);
    this.#unwritten = [];
    const added = this.#log.append(all);
    if (added === undefined) this.#readAgain(all);
    else this.#take(added);
    if (this.#records - this.#known.size > MAX_VOID) this.#shorten();
  }

  /** Reads the records again after another gateway has replaced the log, perhaps without the last ones of this gateway. */
  #readAgain(records: readonly UriRecord[]): void {
    const [listed, named] = [this.#known.listed(), this.#known.named.all()];
    this.#takeAll(this.#log.read());
    const missing = [
      ...listed.filter(({ uri }) => this.ownerOf(uri) === undefined),
      ...named.filter((claim) => !this.#known.named.has(claim.digest)),
    ];
    this.#take(this.#log.append([...missing, ...records]) ?? []);
  }

  #takeAll(records: readonly UriRecord[]): void {
    this.#known.clear();
    this.#records = 0;
    this.#take(records);
  }

  #take(records: readonly UriRecord[]): void {
    this.#records += records.length;
    for (const record of records) this.#known.take(record);
  }

  #shorten(): void {
    const claims = [...this.#known.listed(), ...this.#known.named.all()];
    this.#log.replace(claims);
    this.#records = claims.length;
  }
}
