import type { EntryKind, Provider } from '../core/providers/provider.ts';
import type { ListedUri } from '../core/uris/uri-log.ts';
import type { KnownEntries, Naming } from './known-entries.ts';
import { type ListedEntry, type MergedList, type MergedLists, mergedList } from './merged-list.ts';
import type { NamingRules } from './names.ts';

/** Merges the lists of all providers, in their order, under public names. */
export function mergeLists(providers: readonly Provider[], naming: Naming, known: KnownEntries): MergedLists {
  const merged = (kind: EntryKind) => mergeKind(kind, providers, (provider) => known.entriesOf(kind, provider, naming));
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

function mergeKind(
  kind: EntryKind,
  providers: readonly Provider[],
  entriesOf: (provider: Provider) => readonly ListedEntry[],
): MergedList {
  const taken = new Set<string>();
  const entries: ListedEntry[] = [];
  for (const provider of providers) {
    // Most providers have nothing of most kinds.
    if (provider.listing()[kind].length === 0) continue;
    for (const entry of entriesOf(provider)) {
      // An entry that is listed twice. Names are made so that two upstreams have none in common.
      if (taken.has(entry.name)) continue;
      taken.add(entry.name);
      entries.push(entry);
    }
  }
  return mergedList(entries);
}

function reservedNames(provider: Provider): string[] {
  const { tool, prompt } = provider.listing();
  return [...tool, ...prompt].map(({ ownName }) => ownName);
}
