import type { Descriptor, EntryKind, EntryText, Era, Provider } from '../core/provider.ts';
import { parseTaskId } from '../core/task-id.ts';
import { type ByteString, type Bytes, jsonBytes } from '../wire/bytes.ts';
import {
  hasHashTail,
  type NamingRules,
  ownerOf,
  parseUniqueUri,
  publicName,
  uniqueUri,
  withoutPrefix,
} from './names.ts';
import { matchesTemplate } from './uri-template.ts';

/** Where a public name leads. */
export interface Route {
  readonly provider: Provider;
  readonly ownName: string;
  /** The provider's own name as the JSON token it uses itself. */
  readonly ownToken: ByteString;
  /** The listed entry; absent for names that are called without being listed. */
  readonly descriptor: Descriptor | undefined;
}

export interface CatalogueOptions {
  /** Longest name of a tool or prompt; asked at each merge, because the config may change. */
  readonly maxNameLength: () => number;
  /** Told once for each change that clients can see, with the kinds of lists that differ. */
  readonly onChange: (kinds: ReadonlySet<EntryKind>) => void;
}

const MEMBERS: Readonly<Record<EntryKind, string>> = {
  tool: 'tools',
  prompt: 'prompts',
  resource: 'resources',
  template: 'resourceTemplates',
};

const KINDS = Object.keys(MEMBERS) as EntryKind[];

interface MergedList {
  readonly routes: ReadonlyMap<string, Route>;
  /** For the clients of each era: the entries' JSON, joined by commas, under their public names. */
  readonly texts: Readonly<Record<Era, ByteString>>;
}

/** The merged list of what all providers offer, under the names that clients see. */
export class Catalogue {
  readonly #options: CatalogueOptions;
  #providers: readonly Provider[] = [];
  #lists: Record<EntryKind, MergedList> = emptyLists();
  readonly #answers: Readonly<Record<EntryKind, Map<ByteString, Bytes>>> = {
    tool: new Map(),
    prompt: new Map(),
    resource: new Map(),
    template: new Map(),
  };
  #stale = false;
  readonly #waiters = new Set<() => void>();
  readonly #tooSlow = new WeakSet<Provider>();

  constructor(options: CatalogueOptions) {
    this.#options = options;
  }

  /** The providers in the order in which their entries are listed. */
  setProviders(providers: readonly Provider[]): void {
    this.#providers = providers;
    this.onOffer();
  }

  get providers(): readonly Provider[] {
    return this.#providers;
  }

  /** Some provider's offer may have changed. Several calls in one turn of the event loop cost one merge. */
  onOffer(): void {
    if (this.#stale) return;
    this.#stale = true;
    queueMicrotask(() => this.#merge());
  }

  /** The result of a list request: all entries in one page. `head` is the JSON of members that stand before the list. */
  listResult(kind: EntryKind, era: Era, head: ByteString = ''): Bytes {
    this.#merge();
    const answers = this.#answers[kind];
    const start = `{${head === '' ? '' : `${head},`}"${MEMBERS[kind]}":[`;
    let answer = answers.get(era + start);
    if (answer === undefined) {
      answer = [Buffer.from(`${start}${this.#lists[kind].texts[era]}]}`, 'latin1')];
      answers.set(era + start, answer);
    }
    return answer;
  }

  routes(kind: EntryKind): ReadonlyMap<string, Route> {
    this.#merge();
    return this.#lists[kind].routes;
  }

  /** The rules by which public names are made now. */
  namingRules(): NamingRules {
    const reserved = this.#providers.filter((provider) => provider.kind === 'workflow').flatMap(reservedNames);
    return {
      maxLength: this.#options.maxNameLength(),
      prefixes: this.#providers.filter((provider) => provider.kind === 'upstream').map((provider) => provider.prefix),
      reserved: new Set(reserved),
    };
  }

  /**
   * The route of a tool or prompt: a listed one; a tool that is withheld because of its pin, for the policies to refuse;
   * or one whose prefix names an upstream that may know it unlisted.
   */
  find(kind: 'tool' | 'prompt', name: string): Route | undefined {
    return this.routes(kind).get(name) ?? this.#findWithheld(kind, name) ?? this.#findUnlisted(kind, name);
  }

  /**
   * The providers that may know a resource, the likeliest first: whoever lists it, made a template that fits, or lists
   * resources of the same scheme.
   */
  findResource(uri: string): readonly Route[] {
    const listed = this.routes('resource').get(uri);
    if (listed !== undefined) return [listed];
    const unique = parseUniqueUri(uri);
    const named = this.#providers.find((provider) => provider.id === unique?.key);
    if (unique !== undefined && named !== undefined) return [unlistedRoute(named, unique.uri)];
    const able = this.#providers.filter((provider) => provider.acceptsUnlisted('resource', uri));
    const rank = new Map(able.map((provider) => [provider, likelihood(provider, uri)]));
    return able.sort((a, b) => rank.get(b)! - rank.get(a)!).map((provider) => unlistedRoute(provider, uri));
  }

  /** The route of a resource template by its uri template. */
  findTemplate(template: string): Route | undefined {
    return this.routes('template').get(template);
  }

  /** The route of a task by its public id: to the upstream that it names, which may or may not know it. */
  findTask(id: string): Route | undefined {
    const task = parseTaskId(id);
    const provider = this.#providers.find((one) => one.kind === 'upstream' && one.id === task?.key);
    return task === undefined || provider === undefined ? undefined : unlistedRoute(provider, task.ownId);
  }

  /** The uri under which clients know a provider's resource. */
  publicUri(provider: Provider, uri: string): string {
    const owner = this.routes('resource').get(uri);
    return owner === undefined || owner.provider === provider ? uri : uniqueUri(provider.id, uri);
  }

  /**
   * Resolves when every provider has said what it offers, or after `graceMs`. A provider for which that was too short
   * is not waited for again.
   */
  async whenKnown(graceMs: number): Promise<void> {
    const missing = () => this.#providers.filter((provider) => !this.#tooSlow.has(provider) && !provider.isKnown());
    if (missing().length === 0) return;
    await new Promise<void>((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        this.#waiters.delete(check);
        for (const provider of missing()) this.#tooSlow.add(provider);
        resolve();
      };
      const check = () => {
        if (missing().length === 0) finish();
      };
      const timer = setTimeout(finish, graceMs);
      this.#waiters.add(check);
    });
  }

  #findWithheld(kind: EntryKind, name: string): Route | undefined {
    const rules = this.namingRules();
    for (const provider of this.#providers) {
      const found = provider
        .withheld?.()
        .find((entry) => entry.reason === 'pinned' && publicName(provider.prefix, entry.name, rules) === name);
      if (found !== undefined && found.kind === kind) return unlistedRoute(provider, found.name);
    }
    return undefined;
  }

  #findUnlisted(kind: EntryKind, name: string): Route | undefined {
    // Made from the name of another tool, perhaps of another upstream, which is not listed now.
    if (hasHashTail(name)) return undefined;
    const owner = ownerOf(
      name,
      this.#providers.filter((provider) => provider.kind === 'upstream'),
    );
    if (owner === undefined) return undefined;
    const ownName = withoutPrefix(owner, name);
    return ownName !== '' && owner.acceptsUnlisted(kind, ownName) ? unlistedRoute(owner, ownName) : undefined;
  }

  #merge(): void {
    if (!this.#stale) return;
    this.#stale = false;
    const rules = this.namingRules();
    const lists = emptyLists();
    const changed = new Set<EntryKind>();
    for (const kind of KINDS) {
      lists[kind] = this.#mergeKind(kind, rules);
      if (areSame(lists[kind], this.#lists[kind])) continue;
      changed.add(kind);
      this.#answers[kind].clear();
    }
    this.#lists = lists;
    if (changed.size > 0) this.#options.onChange(changed);
    for (const check of this.#waiters) check();
  }

  #mergeKind(kind: EntryKind, rules: NamingRules): MergedList {
    const routes = new Map<string, Route>();
    const legacy: ByteString[] = [];
    const modern: ByteString[] = [];
    let differs = false;
    for (const provider of this.#providers) {
      for (const descriptor of provider.listing()[kind]) {
        const name = nameFor(kind, provider, descriptor, rules, routes);
        // Templates may be equal; for all else the names are made so that this does not happen.
        if (routes.has(name) && kind !== 'template') continue;
        const ownToken = tokenOf(descriptor);
        if (!routes.has(name)) routes.set(name, { provider, ownName: descriptor.ownName, ownToken, descriptor });
        const newName = name === descriptor.ownName ? undefined : name;
        legacy.push(renamed(descriptor.forLegacy ?? descriptor, newName));
        modern.push(renamed(descriptor.forModern ?? descriptor, newName));
        differs ||= descriptor.forLegacy !== undefined || descriptor.forModern !== undefined;
      }
    }
    const text = legacy.join(',');
    return { routes, texts: { legacy: text, modern: differs ? modern.join(',') : text } };
  }
}

function emptyLists(): Record<EntryKind, MergedList> {
  const none: MergedList = { routes: new Map(), texts: { legacy: '', modern: '' } };
  return { tool: none, prompt: none, resource: none, template: none };
}

function reservedNames(provider: Provider): string[] {
  const { tool, prompt } = provider.listing();
  return [...tool, ...prompt].map(({ ownName }) => ownName);
}

function nameFor(
  kind: EntryKind,
  provider: Provider,
  { ownName }: Descriptor,
  rules: NamingRules,
  taken: ReadonlyMap<string, Route>,
): string {
  if (kind === 'template' || provider.kind === 'workflow') return ownName;
  if (kind === 'resource') return isFreeUri(ownName, taken) ? ownName : uniqueUri(provider.id, ownName);
  return publicName(provider.prefix, ownName, rules);
}

/** A uri of the form that we make ourselves is never taken as it is: it could be that of another upstream. */
function isFreeUri(uri: string, taken: ReadonlyMap<string, Route>): boolean {
  return !taken.has(uri) && parseUniqueUri(uri) === undefined;
}

function tokenOf({ text, nameSpan }: Descriptor): ByteString {
  return text.slice(nameSpan.start, nameSpan.end);
}

function areSame(a: MergedList, b: MergedList): boolean {
  return a.texts.legacy === b.texts.legacy && a.texts.modern === b.texts.modern;
}

function renamed({ text, nameSpan }: EntryText, name: string | undefined): ByteString {
  if (name === undefined) return text;
  return text.slice(0, nameSpan.start) + jsonBytes(name) + text.slice(nameSpan.end);
}

function unlistedRoute(provider: Provider, ownName: string): Route {
  return { provider, ownName, ownToken: jsonBytes(ownName), descriptor: undefined };
}

function likelihood(provider: Provider, uri: string): number {
  const { resource, template } = provider.listing();
  if (template.some((entry) => matchesTemplate(entry.ownName, uri))) return 2;
  const scheme = uri.slice(0, uri.indexOf(':') + 1);
  const sharesScheme = scheme !== '' && [...resource, ...template].some((entry) => entry.ownName.startsWith(scheme));
  return sharesScheme ? 1 : 0;
}
