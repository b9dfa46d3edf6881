import type { Permissions } from '../core/access/permissions.ts';
import type { Descriptor, EntryKind, ListSource, NamedProvider, Provider } from '../core/providers/provider.ts';
import { type CatalogueSource, CatalogueView, type OnCatalogueChange } from './catalogue-view.ts';
import { EMPTY_LISTS, type ListedEntry, type MergedList, type MergedLists, mergedList } from './merged-list.ts';
import { longName, type NamingRules, publicName } from './names.ts';
import { UriOwners } from './uris/uri-owners.ts';

export interface CatalogueOptions {
  /** Longest name of a tool or prompt; asked at each merge, because the config may change. */
  readonly maxNameLength: () => number;
  /** The owners of uris; if absent, they are kept in this process only. */
  readonly uris?: UriOwners;
}

/** Merges what all providers offer, under the names that clients see; its views are what clients ask. */
export class Catalogue implements CatalogueSource {
  readonly uris: UriOwners;
  readonly #options: CatalogueOptions;
  readonly #views = new Set<CatalogueView>();
  #providers: readonly Provider[] = [];
  #lists: MergedLists = EMPTY_LISTS;
  #stale = false;
  /** What the last merge was made of. */
  #sources: readonly unknown[] = [];
  readonly #waiters = new Set<() => void>();
  readonly #tooSlow = new WeakSet<ListSource>();

  constructor(options: CatalogueOptions) {
    this.#options = options;
    this.uris = options.uris ?? new UriOwners();
  }

  /** What an access allows; everything without one. Kept up to date until it is closed. */
  openView(access: Permissions | undefined, onChange: OnCatalogueChange): CatalogueView {
    const view = new CatalogueView(this, access, onChange);
    this.#views.add(view);
    return view;
  }

  closeView(view: CatalogueView): void {
    this.#views.delete(view);
  }

  /** The providers in the order in which their entries are listed. */
  setProviders(providers: readonly Provider[]): void {
    this.#providers = providers;
    this.onOffer();
  }

  get providers(): readonly Provider[] {
    return this.#providers;
  }

  /** Some provider's offer may have changed. Several calls in one turn of the event loop cost one merge. */
  onOffer(): void {
    if (this.#stale) return;
    this.#stale = true;
    queueMicrotask(() => this.#merge());
  }

  lists(): MergedLists {
    if (this.#stale) this.#merge();
    return this.#lists;
  }

  namingRules(): NamingRules {
    const reserved = this.#providers.filter((provider) => provider.kind === 'workflow').flatMap(reservedNames);
    return {
      maxLength: this.#options.maxNameLength(),
      prefixes: this.#providers.filter((provider) => provider.kind === 'upstream').map((provider) => provider.prefix),
      reserved: new Set(reserved),
    };
  }

  whenKnown(graceMs: number, providers: () => readonly Provider[], kind?: EntryKind): Promise<void> {
    return this.#whenNone((provider) => !provider.isKnown(kind), graceMs, providers);
  }

  whenDeclared(graceMs: number, providers: () => readonly Provider[]): Promise<void> {
    return this.#whenNone((provider) => !provider.isKnown() && provider.declared?.() === undefined, graceMs, providers);
  }

  async #whenNone(
    isMissing: (provider: ListSource) => boolean,
    graceMs: number,
    providers: () => readonly ListSource[],
  ): Promise<void> {
    const missing = () => providers().filter((provider) => !this.#tooSlow.has(provider) && isMissing(provider));
    if (missing().length === 0) return;
    await new Promise<void>((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        this.#waiters.delete(check);
        for (const provider of missing()) this.#tooSlow.add(provider);
        resolve();
      };
      const check = () => {
        if (missing().length === 0) finish();
      };
      const timer = setTimeout(finish, graceMs);
      this.#waiters.add(check);
    });
  }

  #merge(): void {
    if (!this.#stale) return;
    this.#stale = false;
    // An upstream that changes its state has mostly the lists of before, and long lists take long to merge.
    if (!isEachSame(this.#sources, this.#sourcesNow())) this.#mergeAll();
    for (const check of this.#waiters) check();
  }

  #mergeAll(): void {
    this.uris.onListed(this.#listedUris());
    const rules = this.namingRules();
    const merged = (kind: EntryKind) => this.#mergeKind(kind, rules);
    this.#lists = {
      tool: merged('tool'),
      prompt: merged('prompt'),
      resource: merged('resource'),
      template: merged('template'),
    };
    this.#sources = this.#sourcesNow();
    for (const view of this.#views) view.refresh(this.#lists);
  }

  /** Returns all that a merge depends on. A list is the same object as long as nothing in it changed. */
  #sourcesNow(): readonly unknown[] {
    const lists = this.#providers.flatMap((provider) => [provider, provider.prefix, provider.listing()]);
    return [this.#options.maxNameLength(), this.uris.revision, ...lists];
  }

  #listedUris(): { readonly key: string; readonly uri: string }[] {
    const upstreams = this.#providers.filter((provider) => provider.kind === 'upstream');
    return upstreams.flatMap((provider) => {
      const { resource, template } = provider.listing();
      return [...resource, ...template].map(({ ownName }) => ({ key: provider.id, uri: ownName }));
    });
  }

  #mergeKind(kind: EntryKind, rules: NamingRules): MergedList {
    const taken = new Set<string>();
    const entries: ListedEntry[] = [];
    for (const provider of this.#providers) {
      for (const { name, descriptor } of this.#named(kind, provider, rules)) {
        // An entry that is listed twice. Names are made so that two upstreams have none in common.
        if (taken.has(name)) continue;
        taken.add(name);
        const { ownName } = descriptor;
        entries.push({ name, route: { provider, ownName, ownToken: tokenOf(descriptor), descriptor } });
      }
    }
    return mergedList(entries, this.uris);
  }

  /** Names of one upstream whose short hashes are alike get longer ones, all of them: in whichever order they are listed. */
  #named(kind: EntryKind, provider: Provider, rules: NamingRules) {
    const named = provider
      .listing()
      [kind].map((descriptor) => ({ name: this.#nameFor(kind, provider, descriptor, rules), descriptor }));
    if (provider.kind === 'workflow' || kind === 'resource' || kind === 'template') return named;
    const shared = sharedNames(named.map(({ name, descriptor }) => ({ name, ownName: descriptor.ownName })));
    if (shared.size === 0) return named;
    return named.map(({ name, descriptor }) =>
      shared.has(name)
        ? { name: longName(provider.prefix, descriptor.ownName, rules), descriptor }
        : { name, descriptor },
    );
  }

  #nameFor(kind: EntryKind, provider: NamedProvider, { ownName }: Descriptor, rules: NamingRules): string {
    if (provider.kind === 'workflow') return ownName;
    if (kind === 'resource' || kind === 'template') return this.uris.publicUri(provider.id, ownName);
    return publicName(provider.prefix, ownName, rules);
  }
}

/** Returns the names that stand for several own names. */
function sharedNames(named: readonly { readonly name: string; readonly ownName: string }[]): ReadonlySet<string> {
  const first = new Map<string, string>();
  const shared = new Set<string>();
  for (const { name, ownName } of named) {
    const known = first.get(name);
    if (known === undefined) first.set(name, ownName);
    else if (known !== ownName) shared.add(name);
  }
  return shared;
}

function isEachSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}

function reservedNames(provider: ListSource): string[] {
  const { tool, prompt } = provider.listing();
  return [...tool, ...prompt].map(({ ownName }) => ownName);
}

function tokenOf({ text, nameSpan }: Descriptor): string {
  return text.slice(nameSpan.start, nameSpan.end);
}
