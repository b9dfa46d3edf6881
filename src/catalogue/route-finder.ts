import { MAX_NAME_LENGTH } from '../core/access/name-filter.ts';
import type { EntryKind, Provider } from '../core/providers/provider.ts';
import { parseTaskId } from '../core/providers/task-id.ts';
import { type MergedList, type Route, unlistedRoute } from './merged-list.ts';
import { hasHashTail, type NamingRules, ownerOf, publicName, withoutPrefix } from './names.ts';
import { type OwnTool, ownTool } from './own-tool.ts';
import { type ResourceSight, resourceRoutes, templateRoutes } from './uris/resource-routes.ts';
import type { UriOwners } from './uris/uri-owners.ts';
import type { ViewScope } from './view-scope.ts';

/** The part of a view in which names are looked for. */
export interface FinderSight {
  /** All providers, seen or not: a prefix belongs to its upstream even if these clients cannot see it. */
  readonly all: readonly Provider[];
  /** The providers that these clients see. */
  readonly providers: readonly Provider[];
  readonly scope: ViewScope;
  readonly uris: UriOwners;
  /** Returns the newest list of these clients. */
  list(kind: EntryKind): MergedList;
  namingRules(): NamingRules;
}

/** Finds where the names, uris and ids lead that clients of a view send. */
export class RouteFinder {
  readonly #sight: FinderSight;

  constructor(sight: FinderSight) {
    this.#sight = sight;
  }

  /**
   * Returns the route of a tool or prompt: a listed one; a tool that is withheld because of its pin, for the policies to
   * refuse; or one whose prefix names an upstream that may know it unlisted. None for a name of more than `MAX_NAME_LENGTH`
   * characters: no tool or prompt that clients know has such a name.
   */
  find(kind: 'tool' | 'prompt', name: string): Route | undefined {
    const listed = this.#sight.list(kind).routes.get(name);
    if (listed !== undefined) return listed;
    if (name.length > MAX_NAME_LENGTH) return undefined;
    const route = this.#findWithheld(kind, name) ?? this.#findUnlisted(kind, name);
    return route !== undefined && this.#maySee(kind, route) ? route : undefined;
  }

  /**
   * Does the same for a tool, which is also found by the name that its own server gives it. A name that begins with the prefix of
   * an upstream is never a tool of another one.
   */
  findTool(name: string): OwnTool | undefined {
    const route = this.find('tool', name);
    if (route?.descriptor !== undefined || hasHashTail(name) || this.#findWithheld('tool', name) !== undefined)
      return route;
    const { providers } = this.#sight;
    const owner = this.#prefixOwner(name);
    const isOwned = owner !== undefined && owner.prefix !== '';
    const upstreams = isOwned ? providers.filter((provider) => provider === owner) : providers;
    return ownTool(name, this.#sight.list('tool').entries, upstreams) ?? route;
  }

  /**
   * Returns the routes to a resource by its uri, public or an upstream's own: one route if the uri has an owner or
   * names one, otherwise all that may know it, the likeliest first.
   */
  findResource(uri: string): readonly Route[] {
    return resourceRoutes(uri, this.#resources());
  }

  /** Does the same for a resource template, by its uri template or by a uri that it may make. */
  findTemplate(template: string): readonly Route[] {
    return templateRoutes(template, this.#resources());
  }

  /** Returns the route of a task by its public id: to the upstream that it names, which may or may not know it. */
  findTask(id: string): Route | undefined {
    const task = parseTaskId(id);
    const provider = this.#sight.providers.find((one) => one.kind === 'upstream' && one.id === task?.key);
    return task === undefined || provider === undefined ? undefined : unlistedRoute(provider, task.ownId);
  }

  /** Notes that an upstream has answered for a uri without an owner: from now on it is asked alone. */
  onAnswered({ provider, ownName }: Route): void {
    if (provider.kind === 'upstream') this.#sight.uris.onNamed(provider.id, ownName);
  }

  #resources(): ResourceSight {
    const { providers, uris } = this.#sight;
    const [resources, templates] = [this.#sight.list('resource').routes, this.#sight.list('template').routes];
    return { providers, uris, resources, templates };
  }

  /** Holds a tool that was called by another name than its public one against the scope by its public one. */
  #maySee(kind: EntryKind, { provider, ownName }: Route): boolean {
    const { scope } = this.#sight;
    if (scope.showsEverything) return true;
    if (!scope.allowsProvider(provider)) return false;
    return kind !== 'tool' || scope.allowsTool(publicName(provider.prefix, ownName, this.#sight.namingRules()));
  }

  #findWithheld(kind: EntryKind, name: string): Route | undefined {
    const rules = this.#sight.namingRules();
    for (const provider of this.#sight.all) {
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
      this.#sight.all.filter((provider) => provider.kind === 'upstream'),
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
