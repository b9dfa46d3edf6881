import type { Descriptor, EntryKind, EntryText, Era, Provider } from '../core/providers/provider.ts';
import type { PublicUris } from '../core/uris/public-uris.ts';
import { type ByteString, jsonBytes } from '../wire/bytes.ts';
import { publicText } from './uris/entry-text.ts';

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
export function mergedList(entries: readonly ListedEntry[], uris: PublicUris): MergedList {
  const routes = new Map<string, Route>();
  for (const { name, route } of entries) if (!routes.has(name)) routes.set(name, route);
  const legacy = textOf(entries, uris, (descriptor) => descriptor.forLegacy ?? descriptor);
  const differs = entries.some(({ route: { descriptor } }) => hasVariants(descriptor));
  const modern = differs ? textOf(entries, uris, (descriptor) => descriptor.forModern ?? descriptor) : legacy;
  return { entries, routes, texts: { legacy, modern } };
}

/** Returns true if clients would see no difference between two lists. */
export function areSame(a: MergedList, b: MergedList): boolean {
  return a === b || (a.texts.legacy === b.texts.legacy && a.texts.modern === b.texts.modern);
}

function hasVariants({ forLegacy, forModern }: Descriptor): boolean {
  return forLegacy !== undefined || forModern !== undefined;
}

function textOf(
  entries: readonly ListedEntry[],
  uris: PublicUris,
  choose: (descriptor: Descriptor) => EntryText,
): ByteString {
  const texts = entries.map(({ name, route: { provider, ownName, descriptor } }) => {
    // The texts that the gateway's own workflows list are public unchanged.
    if (provider.kind === 'workflow') return choose(descriptor).text;
    const publicName = name === ownName ? undefined : name;
    return publicText(choose(descriptor), publicName, (uri) => uris.publicUri(provider.id, uri));
  });
  return texts.join(',');
}
