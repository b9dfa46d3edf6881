import type { Permissions } from '../core/access/permissions.ts';
import type { Provider } from '../core/providers/provider.ts';
import { WorkBudget } from '../core/timing/work-budget.ts';
import { type CatalogueSource, CatalogueView, type OnCatalogueChange } from './catalogue-view.ts';
import { KnownEntries } from './known-entries.ts';
import { listedUris, mergeLists, namingRulesOf } from './merge.ts';
import { EMPTY_LISTS, type MergedLists } from './merged-list.ts';
import type { NamingRules } from './names.ts';
import { ProviderWaits } from './provider-waits.ts';
import { UriOwners } from './uris/uri-owners.ts';

/**
 * Merges are made in a tenth of the time: when many providers list something at once, several of their lists are merged
 * together. A list that somebody asks for is always the newest.
 */
const MERGE_LIMITS = { share: 1 / 10, creditMs: 50, maxRestMs: 250 };

export interface CatalogueOptions {
  /** Longest name of a tool or prompt; asked at each merge, because the config may change. */
  readonly maxNameLength: () => number;
  /** The owners of uris; if absent, they are kept in this process only. */
  readonly uris?: UriOwners;
}

/** Merges what all providers offer, under the names that clients see; its views are what clients ask. */
export class Catalogue implements CatalogueSource {
  readonly uris: UriOwners;
  readonly waits = new ProviderWaits();
  readonly #options: CatalogueOptions;
  readonly #views = new Set<CatalogueView>();
  #providers: readonly Provider[] = [];
  #lists: MergedLists = EMPTY_LISTS;
  readonly #known = new KnownEntries();
  readonly #budget = new WorkBudget(MERGE_LIMITS);
  #stale = false;
  /** The end of this turn of the event loop is waited for. */
  #isDue = false;
  #resting: NodeJS.Timeout | undefined;
  /** The parts of which the last merge was made. */
  #sources: readonly unknown[] = [];

  constructor(options: CatalogueOptions) {
    this.#options = options;
    this.uris = options.uris ?? new UriOwners();
  }

  /** Opens a view of what permissions allow; of everything without them. It is kept up to date until it is closed. */
  openView(permissions: Permissions | undefined, onChange: OnCatalogueChange): CatalogueView {
    const view = new CatalogueView(this, permissions, onChange);
    this.#views.add(view);
    return view;
  }

  /** Lets go of a view: it is told of nothing any more. */
  closeView(view: CatalogueView): void {
    this.#views.delete(view);
  }

  /** Goes over to other providers, in the order in which their entries are listed. */
  setProviders(providers: readonly Provider[]): void {
    this.#providers = providers;
    this.onOffer();
  }

  get providers(): readonly Provider[] {
    return this.#providers;
  }

  /** Notes that some provider's offer may have changed. Several calls in one turn of the event loop cost one merge. */
  onOffer(): void {
    this.#stale = true;
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => this.#onTurnEnd());
  }

  /** Returns the newest lists; a merge that is due happens first, and refreshes the views. */
  lists(): MergedLists {
    if (this.#stale) this.#merge();
    return this.#lists;
  }

  /** Returns the rules by which public names are made now. */
  namingRules(): NamingRules {
    return namingRulesOf(this.#providers, this.#options.maxNameLength());
  }

  #onTurnEnd(): void {
    this.#isDue = false;
    const waitMs = this.#budget.waitMs();
    if (waitMs === 0) this.#merge();
    else this.#resting ??= setTimeout(() => this.#merge(), waitMs).unref();
    this.waits.check();
  }

  #merge(): void {
    clearTimeout(this.#resting);
    this.#resting = undefined;
    if (!this.#stale) return;
    this.#stale = false;
    // An upstream that changes its state has mostly the lists of before, and long lists take long to merge.
    if (!isEachSame(this.#sources, this.#sourcesNow())) this.#mergeAll();
  }

  #mergeAll(): void {
    const from = performance.now();
    this.uris.onListed(listedUris(this.#providers));
    this.#lists = mergeLists(this.#providers, { rules: this.namingRules(), uris: this.uris }, this.#known);
    this.#sources = this.#sourcesNow();
    for (const view of this.#views) view.refresh(this.#lists);
    this.#budget.spend(performance.now() - from);
  }

  /** Returns all that a merge depends on. A list is the same object as long as nothing in it changed. */
  #sourcesNow(): readonly unknown[] {
    const lists = this.#providers.flatMap((provider) => [provider, provider.prefix, provider.listing()]);
    return [this.#options.maxNameLength(), this.uris.revision, ...lists];
  }
}

function isEachSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}
