import type { Descriptor, EntryKind, EntryText, Provider } from '../core/providers/provider.ts';
import type { PublicUris } from '../core/uris/public-uris.ts';
import type { ByteString } from '../wire/bytes.ts';
import type { ListedEntry } from './merged-list.ts';
import { longName, type NamingRules, publicName } from './names.ts';
import { publicText } from './uris/entry-text.ts';

/** What public names and uris depend on beside an entry and its provider. */
export interface Naming {
  readonly rules: NamingRules;
  readonly uris: PublicUris & { readonly revision: number };
}

interface Known {
  /** The public name, as long as no other entry of the provider has the same. */
  readonly name: string;
  readonly entry: ListedEntry;
  /** The revision of the uris of which the entry's texts were made; `undefined` if there are none in them. */
  readonly revision: number | undefined;
}

/** The entries of one list of a provider, as the last merge had them. */
interface KnownList {
  readonly of: readonly Descriptor[];
  readonly prefix: string;
  readonly rules: NamingRules;
  /** The revision of the uris, if the texts of any entry depend on them. */
  readonly revision: number | undefined;
  readonly byDescriptor: ReadonlyMap<Descriptor, Known>;
  readonly entries: readonly ListedEntry[];
}

/** The entries of providers under their public names: what has not changed since the last merge is not made again. */
export class KnownEntries {
  readonly #lists = new WeakMap<Provider, Map<EntryKind, KnownList>>();
  #rules: NamingRules | undefined;

  /** Returns a provider's entries of a kind, in their order. */
  entriesOf(kind: EntryKind, provider: Provider, { rules, uris }: Naming): readonly ListedEntry[] {
    const naming = { rules: this.#sameRules(rules), uris };
    const lists = this.#lists.get(provider) ?? new Map<EntryKind, KnownList>();
    this.#lists.set(provider, lists);
    const before = lists.get(kind);
    const isUsable = before?.rules === naming.rules && before.prefix === provider.prefix;
    if (isUsable && before.of === provider.listing()[kind] && isCurrent(before.revision, uris)) return before.entries;
    const list = listOf(kind, provider, naming, isUsable ? before.byDescriptor : new Map());
    lists.set(kind, list);
    return list.entries;
  }

  /** Rules are made anew for each merge, and are mostly those of before. */
  #sameRules(rules: NamingRules): NamingRules {
    const known = this.#rules;
    if (known === undefined || !areEqual(known, rules)) this.#rules = rules;
    return this.#rules!;
  }
}

function areEqual(a: NamingRules, b: NamingRules): boolean {
  if (a === b) return true;
  if (a.maxLength !== b.maxLength || a.prefixes.length !== b.prefixes.length || a.reserved.size !== b.reserved.size)
    return false;
  return (
    a.prefixes.every((prefix, index) => prefix === b.prefixes[index]) &&
    [...a.reserved].every((name) => b.reserved.has(name))
  );
}

function isCurrent(revision: number | undefined, uris: Naming['uris']): boolean {
  return revision === undefined || revision === uris.revision;
}

function listOf(
  kind: EntryKind,
  provider: Provider,
  naming: Naming,
  before: ReadonlyMap<Descriptor, Known>,
): KnownList {
  const of = provider.listing()[kind];
  const byDescriptor = new Map<Descriptor, Known>();
  for (const descriptor of of) {
    const known = before.get(descriptor);
    const isUsable = known !== undefined && isCurrent(known.revision, naming.uris);
    byDescriptor.set(descriptor, isUsable ? known : knownOf(kind, provider, descriptor, naming));
  }
  const known = [...byDescriptor.values()];
  return {
    of,
    prefix: provider.prefix,
    rules: naming.rules,
    revision: known.find(({ revision }) => revision !== undefined)?.revision,
    byDescriptor,
    entries: named(kind, provider, known, naming),
  };
}

function knownOf(kind: EntryKind, provider: Provider, descriptor: Descriptor, naming: Naming): Known {
  const name = nameFor(kind, provider, descriptor, naming);
  const { entry, usesUris } = listedEntry(provider, descriptor, name, naming.uris);
  const isUri = provider.kind !== 'workflow' && (kind === 'resource' || kind === 'template');
  return { name, entry, revision: isUri || usesUris ? naming.uris.revision : undefined };
}

/**
 * Names of one upstream whose short hashes are alike get longer ones, all of them, regardless of the order in which
 * they are listed.
 */
function named(kind: EntryKind, provider: Provider, known: readonly Known[], naming: Naming): ListedEntry[] {
  if (provider.kind === 'workflow' || kind === 'resource' || kind === 'template')
    return known.map(({ entry }) => entry);
  const shared = sharedNames(known);
  return known.map(({ name, entry }) => {
    if (!shared.has(name)) return entry;
    const { descriptor, ownName } = entry.route;
    return listedEntry(provider, descriptor, longName(provider.prefix, ownName, naming.rules), naming.uris).entry;
  });
}

function nameFor(kind: EntryKind, provider: Provider, { ownName }: Descriptor, { rules, uris }: Naming): string {
  if (provider.kind === 'workflow') return ownName;
  if (kind === 'resource' || kind === 'template') return uris.publicUri(provider.id, ownName);
  return publicName(provider.prefix, ownName, rules);
}

/** Returns the names that stand for several own names. */
function sharedNames(known: readonly Known[]): ReadonlySet<string> {
  const first = new Map<string, string>();
  const shared = new Set<string>();
  for (const { name, entry } of known) {
    const { ownName } = entry.route;
    const other = first.get(name);
    if (other === undefined) first.set(name, ownName);
    else if (other !== ownName) shared.add(name);
  }
  return shared;
}

function listedEntry(
  provider: Provider,
  descriptor: Descriptor,
  name: string,
  uris: PublicUris,
): { readonly entry: ListedEntry; readonly usesUris: boolean } {
  const { ownName, forLegacy, forModern } = descriptor;
  const route = { provider, ownName, ownToken: tokenOf(descriptor), descriptor };
  let usesUris = false;
  const publicUri = (uri: string) => {
    usesUris = true;
    return uris.publicUri(provider.id, uri);
  };
  const textOf = (text: EntryText): ByteString => {
    // The texts that the gateway's own workflows list are public unchanged.
    if (provider.kind === 'workflow') return text.text;
    return publicText(text, name === ownName ? undefined : name, publicUri);
  };
  const legacy = textOf(forLegacy ?? descriptor);
  const modern = forLegacy === undefined && forModern === undefined ? legacy : textOf(forModern ?? descriptor);
  return { entry: { name, route, texts: { legacy, modern } }, usesUris };
}

function tokenOf({ text, nameSpan }: Descriptor): string {
  return text.slice(nameSpan.start, nameSpan.end);
}
