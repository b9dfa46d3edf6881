import type { EntryKind, ListSource, NamedProvider, Provider } from '../../core/providers/provider.ts';
import { type Route, unlistedRoute } from '../merged-list.ts';
import { readOwnedForm } from './public-form.ts';
import type { UriOwners } from './uri-owners.ts';
import { literalLength, matchesTemplate } from './uri-template.ts';

/** The resources that some clients see. */
export interface ResourceSight {
  /** The providers that these clients see. */
  readonly providers: readonly Provider[];
  readonly uris: UriOwners;
  /** The lists of these clients, by public uri. */
  readonly resources: ReadonlyMap<string, Route>;
  readonly templates: ReadonlyMap<string, Route>;
}

/**
 * Returns the providers to ask for a resource, in the order in which to ask them. There is one if the uri is public:
 * listed, or of the form that names its owner. For an upstream's own uri, which clients find in texts, it is the upstream
 * that owns the uri. Only a uri without an owner is looked for at several, the likeliest first; hidden upstreams are never
 * asked.
 */
export function resourceRoutes(uri: string, sight: ResourceSight): readonly Route[] {
  const listed = sight.resources.get(uri) ?? listedAs(uri, sight.resources);
  if (listed !== undefined) return [listed];
  const ours = sight.providers.filter(
    (provider) => provider.kind === 'workflow' && provider.acceptsUnlisted('resource', uri),
  );
  if (ours.length > 0) return ours.map((provider) => unlistedRoute(provider, uri));
  return (
    namedRoutes(uri, sight) ??
    ownedRoutes(uri, sight, 'resource') ??
    templatedRoutes(uri, sight) ??
    likelyRoutes(uri, sight)
  );
}

/** The same for a uri template, or for a uri where clients complete one that they have filled in. */
export function templateRoutes(template: string, sight: ResourceSight): readonly Route[] {
  const listed = sight.templates.get(template);
  if (listed !== undefined) return [listed];
  return ownedRoutes(template, sight, 'template') ?? resourceRoutes(template, sight);
}

/**
 * Returns the only listed resource whose uri differs only in escapes: some clients write `%20` for a space that a
 * server listed.
 */
function listedAs(uri: string, resources: ReadonlyMap<string, Route>): Route | undefined {
  if (!uri.includes('%')) return undefined;
  const plain = unescaped(uri);
  const found = [...resources].filter(([listed]) => unescaped(listed) === plain);
  return found.length === 1 ? found[0]![1] : undefined;
}

function unescaped(uri: string): string {
  try {
    return decodeURI(uri);
  } catch {
    return uri; // a stray percent sign
  }
}

/**
 * Returns the routes by the owner that the uri itself names. An upstream may list a uri that begins with its own key:
 * then that one is meant.
 */
function namedRoutes(uri: string, sight: ResourceSight): readonly Route[] | undefined {
  const named = readOwnedForm(uri);
  const provider = named === undefined ? undefined : upstreamOf(named.key, sight);
  if (named === undefined || provider === undefined) return undefined;
  const route = unlistedRoute(provider, named.uri);
  return lists(provider, 'resource', uri) ? [unlistedRoute(provider, uri), route] : [route];
}

/**
 * Returns the routes by the owner of the uri. If these clients do not see the owner, returns the only upstream they see
 * that lists the uri.
 */
function ownedRoutes(uri: string, sight: ResourceSight, kind: EntryKind): readonly Route[] | undefined {
  const key = sight.uris.ownerOf(uri);
  if (key === undefined) return undefined;
  const owner = upstreamOf(key, sight);
  if (owner !== undefined) return [unlistedRoute(owner, uri)];
  const listing = sight.providers.filter((provider) => lists(provider, kind, uri));
  return listing.length === 1 ? [unlistedRoute(listing[0]!, uri)] : undefined;
}

/** Returns the routes by the owners of templates that can produce this uri, the one with the longest fixed text first. */
function templatedRoutes(uri: string, sight: ResourceSight): readonly Route[] | undefined {
  const owners = sight.uris
    .templates()
    .filter(({ uri: template, key }) => matchesTemplate(template, uri) && upstreamOf(key, sight) !== undefined)
    .sort((a, b) => literalLength(b.uri) - literalLength(a.uri));
  const keys = new Set(owners.map(({ key }) => key));
  return keys.size === 0 ? undefined : [...keys].map((key) => unlistedRoute(upstreamOf(key, sight)!, uri));
}

/** Lists the providers that may know a uri. Those with a uri of the same scheme come first. */
function likelyRoutes(uri: string, { providers }: ResourceSight): readonly Route[] {
  const able = providers.filter((provider) => provider.acceptsUnlisted('resource', uri));
  const scheme = uri.slice(0, uri.indexOf(':') + 1);
  const [likely, others]: [Provider[], Provider[]] = [[], []];
  for (const provider of able) (sharesScheme(provider, scheme) ? likely : others).push(provider);
  return [...likely, ...others].map((provider) => unlistedRoute(provider, uri));
}

function upstreamOf(key: string, { providers }: ResourceSight): Provider | undefined {
  return providers.find((provider) => provider.kind === 'upstream' && provider.id === key);
}

function lists(provider: NamedProvider & ListSource, kind: EntryKind, uri: string): boolean {
  return provider.kind === 'upstream' && provider.listing()[kind].some(({ ownName }) => ownName === uri);
}

function sharesScheme(provider: ListSource, scheme: string): boolean {
  const { resource, template } = provider.listing();
  return scheme !== '' && [...resource, ...template].some(({ ownName }) => ownName.startsWith(scheme));
}
