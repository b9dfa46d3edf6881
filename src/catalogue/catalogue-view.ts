import type { Permissions } from '../core/access/permissions.ts';
import type { EntryKind, Era, Provider } from '../core/providers/provider.ts';
import type { ByteString, Bytes } from '../wire/bytes.ts';
import { areSame, KINDS, type MergedList, type MergedLists, type Route } from './merged-list.ts';
import type { NamingRules } from './names.ts';
import type { ProviderWaits } from './provider-waits.ts';
import { type FinderSight, RouteFinder } from './route-finder.ts';
import type { UriOwners } from './uris/uri-owners.ts';
import { ViewScope } from './view-scope.ts';
import { visibleLists } from './visible-lists.ts';

const MEMBERS: Readonly<Record<EntryKind, string>> = {
  tool: 'tools',
  prompt: 'prompts',
  resource: 'resources',
  template: 'resourceTemplates',
};

/** The catalogue of which a view shows a part. */
export interface CatalogueSource {
  readonly providers: readonly Provider[];
  readonly uris: UriOwners;
  readonly waits: Pick<ProviderWaits, 'whenKnown' | 'whenDeclared'>;
  /** Returns the newest lists; a merge that is due happens first, and refreshes the views. */
  lists(): MergedLists;
  namingRules(): NamingRules;
}

/** Told once for each change that clients of a view can see, with the kinds of lists that differ. */
export type OnCatalogueChange = (kinds: ReadonlySet<EntryKind>) => void;

/**
 * The catalogue as some clients see it: all of it, or what their permissions allow. For them, everything that these
 * leave out is as if it did not exist; what remains keeps the name that it has for all clients.
 */
export class CatalogueView implements FinderSight {
  /** The part of the catalogue that these clients may see. */
  readonly scope: ViewScope;
  /** Finds where names lead that these clients send. */
  readonly finder: RouteFinder;
  readonly #source: CatalogueSource;
  readonly #onChange: OnCatalogueChange;
  #lists: MergedLists;
  readonly #answers: Readonly<Record<EntryKind, Map<ByteString, Bytes>>> = {
    tool: new Map(),
    prompt: new Map(),
    resource: new Map(),
    template: new Map(),
  };

  constructor(source: CatalogueSource, permissions: Permissions | undefined, onChange: OnCatalogueChange) {
    this.#source = source;
    this.#onChange = onChange;
    this.scope = new ViewScope(permissions);
    this.#lists = this.#visible(source.lists());
    this.finder = new RouteFinder(this);
  }

  /** The providers that may be seen, in the order in which their entries are listed. */
  get providers(): readonly Provider[] {
    return this.scope.providersOf(this.#source.providers);
  }

  /** All providers, seen or not. */
  get all(): readonly Provider[] {
    return this.#source.providers;
  }

  get uris(): UriOwners {
    return this.#source.uris;
  }

  /** Shows as much as other permissions allow, or everything. Returns the providers that were seen before and are not now. */
  limitTo(permissions: Permissions | undefined): readonly Provider[] {
    const before = this.providers;
    this.scope.limitTo(permissions);
    const after = new Set(this.providers);
    this.refresh(this.#source.lists());
    return before.filter((provider) => !after.has(provider));
  }

  /** Takes over what the source has merged again, or another part of it. */
  refresh(merged: MergedLists): void {
    const lists = this.#visible(merged);
    const changed = new Set<EntryKind>();
    for (const kind of KINDS) {
      if (areSame(lists[kind], this.#lists[kind])) continue;
      changed.add(kind);
      this.#answers[kind].clear();
    }
    this.#lists = lists;
    if (changed.size > 0) this.#onChange(changed);
  }

  /** Returns the result of a list request: all entries in one page. `head` is the JSON of members that are before the list. */
  listResult(kind: EntryKind, era: Era, head: ByteString = ''): Bytes {
    const { texts } = this.list(kind);
    const answers = this.#answers[kind];
    const start = `{${head === '' ? '' : `${head},`}"${MEMBERS[kind]}":[`;
    let answer = answers.get(era + start);
    if (answer === undefined) {
      answer = [Buffer.from(`${start}${texts[era]}]}`, 'latin1')];
      answers.set(era + start, answer);
    }
    return answer;
  }

  /** Returns the newest list of a kind. */
  list(kind: EntryKind): MergedList {
    this.#source.lists();
    return this.#lists[kind];
  }

  /** Returns where the listed names of a kind lead. */
  routes(kind: EntryKind): ReadonlyMap<string, Route> {
    return this.list(kind).routes;
  }

  /** Returns the rules by which public names are made now, the same for all views. */
  namingRules(): NamingRules {
    return this.#source.namingRules();
  }

  /**
   * Resolves when every provider that may be seen has said what it offers, or after `graceMs`; with a kind, when each has
   * answered for its list of this kind. A provider for which that was too short is not waited for again.
   */
  whenKnown(graceMs: number, kind?: EntryKind): Promise<void> {
    return this.#source.waits.whenKnown(graceMs, () => this.providers, kind);
  }

  /** Does the same for what they declare, which is known earlier. */
  whenDeclared(graceMs: number): Promise<void> {
    return this.#source.waits.whenDeclared(graceMs, () => this.providers);
  }

  #visible(merged: MergedLists): MergedLists {
    return this.scope.showsEverything ? merged : visibleLists(merged, this.scope);
  }
}
