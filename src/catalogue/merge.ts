import type { Descriptor, EntryKind, Provider } from '../core/providers/provider.ts';
import type { PublicUris } from '../core/uris/public-uris.ts';
import type { ListedUri } from '../core/uris/uri-log.ts';
import { type ListedEntry, type MergedList, type MergedLists, mergedList } from './merged-list.ts';
import { longName, type NamingRules, publicName } from './names.ts';

/** Merges the lists of all providers, in their order, under public names. */
export function mergeLists(providers: readonly Provider[], rules: NamingRules, uris: PublicUris): MergedLists {
  const merged = (kind: EntryKind) => mergeKind(kind, providers, { rules, uris });
  return { tool: merged('tool'), prompt: merged('prompt'), resource: merged('resource'), template: merged('template') };
}

/** Returns the rules by which the public names of these providers are made. */
export function namingRulesOf(providers: readonly Provider[], maxLength: number): NamingRules {
  const reserved = providers.filter((provider) => provider.kind === 'workflow').flatMap(reservedNames);
  return {
    maxLength,
    prefixes: providers.filter((provider) => provider.kind === 'upstream').map((provider) => provider.prefix),
    reserved: new Set(reserved),
  };
}

/** Returns the uris and uri templates that upstreams list. */
export function listedUris(providers: readonly Provider[]): ListedUri[] {
  const upstreams = providers.filter((provider) => provider.kind === 'upstream');
  return upstreams.flatMap((provider) => {
    const { resource, template } = provider.listing();
    return [...resource, ...template].map(({ ownName }) => ({ key: provider.id, uri: ownName }));
  });
}

interface Naming {
  readonly rules: NamingRules;
  readonly uris: PublicUris;
}

function mergeKind(kind: EntryKind, providers: readonly Provider[], naming: Naming): MergedList {
  const taken = new Set<string>();
  const entries: ListedEntry[] = [];
  for (const provider of providers) {
    for (const { name, descriptor } of named(kind, provider, naming)) {
      // An entry that is listed twice. Names are made so that two upstreams have none in common.
      if (taken.has(name)) continue;
      taken.add(name);
      const { ownName } = descriptor;
      entries.push({ name, route: { provider, ownName, ownToken: tokenOf(descriptor), descriptor } });
    }
  }
  return mergedList(entries, naming.uris);
}

/**
 * Names of one upstream whose short hashes are alike get longer ones, all of them, regardless of the order in which
 * they are listed.
 */
function named(kind: EntryKind, provider: Provider, naming: Naming) {
  const named = provider
    .listing()
    [kind].map((descriptor) => ({ name: nameFor(kind, provider, descriptor, naming), descriptor }));
  if (provider.kind === 'workflow' || kind === 'resource' || kind === 'template') return named;
  const shared = sharedNames(named.map(({ name, descriptor }) => ({ name, ownName: descriptor.ownName })));
  if (shared.size === 0) return named;
  return named.map(({ name, descriptor }) =>
    shared.has(name)
      ? { name: longName(provider.prefix, descriptor.ownName, naming.rules), descriptor }
      : { name, descriptor },
  );
}

function nameFor(kind: EntryKind, provider: Provider, { ownName }: Descriptor, { rules, uris }: Naming): string {
  if (provider.kind === 'workflow') return ownName;
  if (kind === 'resource' || kind === 'template') return uris.publicUri(provider.id, ownName);
  return publicName(provider.prefix, ownName, rules);
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

function reservedNames(provider: Provider): string[] {
  const { tool, prompt } = provider.listing();
  return [...tool, ...prompt].map(({ ownName }) => ownName);
}

function tokenOf({ text, nameSpan }: Descriptor): string {
  return text.slice(nameSpan.start, nameSpan.end);
}
