import type { Descriptor, EntryKind, Era, Provider } from '../core/providers/provider.ts';
import { type ByteString, jsonBytes } from '../wire/bytes.ts';

/** The provider and its own name for a public name. */
export interface Route {
  readonly provider: Provider;
  readonly ownName: string;
  /** The provider's own name as the JSON token it uses itself. */
  readonly ownToken: ByteString;
  /** The listed entry; absent for names that are called without being listed. */
  readonly descriptor: Descriptor | undefined;
}

/** Returns the way to something that a provider may have without listing it. */
export function unlistedRoute(provider: Provider, ownName: string): Route {
  return { provider, ownName, ownToken: jsonBytes(ownName), descriptor: undefined };
}

/** One line of a merged list. */
export interface ListedEntry {
  readonly name: string;
  readonly route: Route & { readonly descriptor: Descriptor };
  /** The entry's JSON under its public name, for the clients of each era. */
  readonly texts: Readonly<Record<Era, ByteString>>;
}

export interface MergedList {
  readonly entries: readonly ListedEntry[];
  readonly routes: ReadonlyMap<string, Route>;
  /** For the clients of each era: the entries' JSON, joined by commas, under their public names. */
  readonly texts: Readonly<Record<Era, ByteString>>;
}

export type MergedLists = Readonly<Record<EntryKind, MergedList>>;

export const KINDS: readonly EntryKind[] = ['tool', 'prompt', 'resource', 'template'];

const NONE: MergedList = { entries: [], routes: new Map(), texts: { legacy: '', modern: '' } };

export const EMPTY_LISTS: MergedLists = { tool: NONE, prompt: NONE, resource: NONE, template: NONE };

/** Returns a list of these entries. Of several under one name, calls go to the first. */
export function mergedList(entries: readonly ListedEntry[]): MergedList {
  const routes = new Map<string, Route>();
  for (const { name, route } of entries) if (!routes.has(name)) routes.set(name, route);
  const legacy = entries.map(({ texts }) => texts.legacy).join(',');
  const differs = entries.some(({ texts }) => texts.legacy !== texts.modern);
  const modern = differs ? entries.map(({ texts }) => texts.modern).join(',') : legacy;
  return { entries, routes, texts: { legacy, modern } };
}

/** Returns true if clients would see no difference between two lists. */
export function areSame(a: MergedList, b: MergedList): boolean {
  return a === b || (a.texts.legacy === b.texts.legacy && a.texts.modern === b.texts.modern);
}
