import { MAX_NAME_LENGTH } from '../core/access/name-filter.ts';
import { type Permissions, type Scope, type Seen, scopeOf } from '../core/access/permissions.ts';
import type { EntryKind, Era, Provider } from '../core/providers/provider.ts';
import { parseTaskId } from '../core/providers/task-id.ts';
import type { ByteString, Bytes } from '../wire/bytes.ts';
import {
  areSame,
  KINDS,
  type ListedEntry,
  type MergedList,
  type MergedLists,
  mergedList,
  type Route,
  unlistedRoute,
} from './merged-list.ts';
import { hasHashTail, type NamingRules, ownerOf, publicName, withoutPrefix } from './names.ts';
import { type OwnTool, ownTool } from './own-tool.ts';
import { type ResourceSight, resourceRoutes, templateRoutes } from './uris/resource-routes.ts';
import type { UriOwners } from './uris/uri-owners.ts';

const MEMBERS: Readonly<Record<EntryKind, string>> = {
  tool: 'tools',
  prompt: 'prompts',
  resource: 'resources',
  template: 'resourceTemplates',
};

/** What a view shows a part of. */
export interface CatalogueSource {
  readonly providers: readonly Provider[];
  readonly uris: UriOwners;
  /** The newest lists; a merge that is due happens first, and refreshes the views. */
  lists(): MergedLists;
  namingRules(): NamingRules;
  /**
   * Resolves when all of these providers have said what they offer, or after `graceMs`. With a kind, only the lists of this
   * kind are waited for.
   */
  whenKnown(graceMs: number, providers: () => readonly Provider[], kind?: EntryKind): Promise<void>;
  /** The same for what they declare, which is known earlier. */
  whenDeclared(graceMs: number, providers: () => readonly Provider[]): Promise<void>;
}

/** Told once for each change that clients of a view can see, with the kinds of lists that differ. */
export type OnCatalogueChange = (kinds: ReadonlySet<EntryKind>) => void;

/**
 * The catalogue as some clients see it: all of it, or what their access allows. Whatever that leaves out is for them as
 * if it did not exist; what remains keeps the name that it has for everybody.
 */
export class CatalogueView implements Scope {
  readonly #source: CatalogueSource;
  readonly #onChange: OnCatalogueChange;
  /** `undefined` where everything may be seen. */
  #scope: Scope | undefined;
  #lists: MergedLists;
  #visible: { readonly of: readonly Provider[]; readonly providers: readonly Provider[] } | undefined;
  readonly #answers: Readonly<Record<EntryKind, Map<ByteString, Bytes>>> = {
    tool: new Map(),
    prompt: new Map(),
    resource: new Map(),
    template: new Map(),
  };

  constructor(source: CatalogueSource, access: Permissions | undefined, onChange: OnCatalogueChange) {
    this.#source = source;
    this.#scope = access === undefined ? undefined : scopeOf(access);
    this.#onChange = onChange;
    this.#lists = this.#shown(source.lists());
  }

  /** True if nothing limits what it shows. */
  get showsEverything(): boolean {
    return this.#scope === undefined;
  }

  /** The providers that may be seen, in the order in which their entries are listed. */
  get providers(): readonly Provider[] {
    const { providers } = this.#source;
    const scope = this.#scope;
    if (scope === undefined) return providers;
    if (this.#visible?.of !== providers)
      this.#visible = { of: providers, providers: providers.filter((one) => scope.allowsProvider(one)) };
    return this.#visible.providers;
  }

  get isWhole(): boolean {
    return this.#scope?.isWhole ?? true;
  }

  allowsProvider(provider: Seen): boolean {
    return this.#scope?.allowsProvider(provider) ?? true;
  }

  allowsTool(publicName: string): boolean {
    return this.#scope?.allowsTool(publicName) ?? true;
  }

  allowsProject(projectId: string | undefined): boolean {
    return this.#scope?.allowsProject(projectId) ?? true;
  }

  /** Shows as much as another access allows, or everything. Returns the providers that were seen before and are not now. */
  limitTo(access: Permissions | undefined): readonly Provider[] {
    const before = this.providers;
    this.#scope = access === undefined ? undefined : scopeOf(access);
    this.#visible = undefined;
    const after = new Set(this.providers);
    this.refresh(this.#source.lists());
    return before.filter((provider) => !after.has(provider));
  }

  /** The source has merged anew, or another part of it is shown. */
  refresh(merged: MergedLists): void {
    const lists = this.#shown(merged);
    const changed = new Set<EntryKind>();
    for (const kind of KINDS) {
      if (areSame(lists[kind], this.#lists[kind])) continue;
      changed.add(kind);
      this.#answers[kind].clear();
    }
    this.#lists = lists;
    if (changed.size > 0) this.#onChange(changed);
  }

  /** The result of a list request: all entries in one page. `head` is the JSON of members that stand before the list. */
  listResult(kind: EntryKind, era: Era, head: ByteString = ''): Bytes {
    const { texts } = this.#list(kind);
    const answers = this.#answers[kind];
    const start = `{${head === '' ? '' : `${head},`}"${MEMBERS[kind]}":[`;
    let answer = answers.get(era + start);
    if (answer === undefined) {
      answer = [Buffer.from(`${start}${texts[era]}]}`, 'latin1')];
      answers.set(era + start, answer);
    }
    return answer;
  }

  routes(kind: EntryKind): ReadonlyMap<string, Route> {
    return this.#list(kind).routes;
  }

  /** The rules by which public names are made now, the same for all views. */
  namingRules(): NamingRules {
    return this.#source.namingRules();
  }

  /**
   * The route of a tool or prompt: a listed one; a tool that is withheld because of its pin, for the policies to refuse;
   * or one whose prefix names an upstream that may know it unlisted. None for a name of more than `MAX_NAME_LENGTH`
   * characters: no tool or prompt that clients know has such a name.
   */
  find(kind: 'tool' | 'prompt', name: string): Route | undefined {
    const listed = this.routes(kind).get(name);
    if (listed !== undefined) return listed;
    if (name.length > MAX_NAME_LENGTH) return undefined;
    const route = this.#findWithheld(kind, name) ?? this.#findUnlisted(kind, name);
    return route !== undefined && this.#maySee(kind, route) ? route : undefined;
  }

  /**
   * The same for a tool, which is also found by the name that its own server gives it. A name that begins with the prefix of an
   * upstream is never a tool of another one.
   */
  findTool(name: string): OwnTool | undefined {
    const route = this.find('tool', name);
    if (route?.descriptor !== undefined || hasHashTail(name) || this.#findWithheld('tool', name) !== undefined)
      return route;
    const owner = this.#prefixOwner(name);
    const isOwned = owner !== undefined && owner.prefix !== '';
    const upstreams = isOwned ? this.providers.filter((provider) => provider === owner) : this.providers;
    return ownTool(name, this.#list('tool').entries, upstreams) ?? route;
  }

  /**
   * Where a resource may be found by its uri, public or an upstream's own: in one place if the uri has an owner or names one,
   * else with whoever may know it, the likeliest first.
   */
  findResource(uri: string): readonly Route[] {
    return resourceRoutes(uri, this.#sight());
  }

  /** The same for a resource template, by its uri template or by a uri that it may make. */
  findTemplate(template: string): readonly Route[] {
    return templateRoutes(template, this.#sight());
  }

  /** An upstream has answered for a uri that nobody owned: from now on it is asked alone. */
  onAnswered({ provider, ownName }: Route): void {
    if (provider.kind === 'upstream') this.#source.uris.onNamed(provider.id, ownName);
  }

  /** The route of a task by its public id: to the upstream that it names, which may or may not know it. */
  findTask(id: string): Route | undefined {
    const task = parseTaskId(id);
    const provider = this.providers.find((one) => one.kind === 'upstream' && one.id === task?.key);
    return task === undefined || provider === undefined ? undefined : unlistedRoute(provider, task.ownId);
  }

  /**
   * Resolves when every provider that may be seen has said what it offers, or after `graceMs`; with a kind, when each has
   * answered for its list of this kind. A provider for which that was too short is not waited for again.
   */
  whenKnown(graceMs: number, kind?: EntryKind): Promise<void> {
    return this.#source.whenKnown(graceMs, () => this.providers, kind);
  }

  /** The same for what they declare, which is known earlier. */
  whenDeclared(graceMs: number): Promise<void> {
    return this.#source.whenDeclared(graceMs, () => this.providers);
  }

  #sight(): ResourceSight {
    return {
      providers: this.providers,
      uris: this.#source.uris,
      resources: this.routes('resource'),
      templates: this.routes('template'),
    };
  }

  #list(kind: EntryKind): MergedList {
    this.#source.lists();
    return this.#lists[kind];
  }

  #shown(merged: MergedLists): MergedLists {
    const scope = this.#scope;
    if (scope === undefined) return merged;
    const shown = (kind: EntryKind): MergedList => {
      const entries = merged[kind].entries.filter(({ route }) => scope.allowsProvider(route.provider));
      return mergedList(
        entries.filter((entry) => isInScope(kind, entry, scope)),
        this.#source.uris,
      );
    };
    return { tool: shown('tool'), prompt: shown('prompt'), resource: shown('resource'), template: shown('template') };
  }

  /** A tool that was called by another name than its public one is held against the access by its public one. */
  #maySee(kind: EntryKind, { provider, ownName }: Route): boolean {
    if (this.#scope === undefined) return true;
    if (!this.#scope.allowsProvider(provider)) return false;
    return kind !== 'tool' || this.#scope.allowsTool(publicName(provider.prefix, ownName, this.namingRules()));
  }

  #findWithheld(kind: EntryKind, name: string): Route | undefined {
    const rules = this.namingRules();
    for (const provider of this.#source.providers) {
      const found = provider
        .withheld?.()
        .find((entry) => entry.reason === 'pinned' && publicName(provider.prefix, entry.name, rules) === name);
      if (found !== undefined && found.kind === kind) return unlistedRoute(provider, found.name);
    }
    return undefined;
  }

  /** Finds the upstream of a prefix. The name belongs to it even if this client cannot see the upstream. */
  #prefixOwner(name: string): Provider | undefined {
    return ownerOf(
      name,
      this.#source.providers.filter((provider) => provider.kind === 'upstream'),
    );
  }

  #findUnlisted(kind: EntryKind, name: string): Route | undefined {
    // Made from the name of another tool, perhaps of another upstream, which is not listed now.
    if (hasHashTail(name)) return undefined;
    const owner = this.#prefixOwner(name);
    if (owner === undefined) return undefined;
    const ownName = withoutPrefix(owner, name);
    return ownName !== '' && owner.acceptsUnlisted(kind, ownName) ? unlistedRoute(owner, ownName) : undefined;
  }
}

/** Tells whether clients may see an entry of a provider that they may see. */
function isInScope(kind: EntryKind, { name, route: { provider, ownName } }: ListedEntry, scope: Scope): boolean {
  if (kind === 'tool') return scope.allowsTool(name);
  return kind !== 'resource' || provider.isResourceWithin?.(ownName, scope) !== false;
}
