import {
  type Descriptor,
  type EntryKind,
  type Listing,
  NOTHING_TO_CANCEL,
  type Provider,
  type RunningCall,
} from '../../../src/core/providers/provider.ts';
import { lastMember, membersOf, stringAt } from '../../../src/wire/lens.ts';

const NAME_MEMBERS = { tool: 'name', prompt: 'name', resource: 'uri', template: 'uriTemplate' } as const;

/** An entry of a list, from its JSON. */
export function entry(kind: EntryKind, json: string): Descriptor {
  const text = Buffer.from(json);
  const span = lastMember(membersOf(text), NAME_MEMBERS[kind])!;
  return {
    kind,
    ownName: stringAt(text, span)!,
    text: text.toString('latin1'),
    nameSpan: { start: span.start, end: span.end },
    fingerprint: json,
  };
}

type Texts = Partial<Record<EntryKind, readonly string[]>>;

/** A provider that offers what it is told to. */
export class Offering implements Provider {
  readonly id: string;
  readonly kind: Provider['kind'];
  readonly prefix: string;
  readonly validation = 'off';
  known = true;
  /** Own names that exist although no list has them. */
  unlisted: readonly string[] = [];
  #listing: Listing = { tool: [], prompt: [], resource: [], template: [] };

  constructor(id: string, texts: Texts = {}, options: { prefix?: string; kind?: Provider['kind'] } = {}) {
    this.id = id;
    this.prefix = options.prefix ?? id;
    this.kind = options.kind ?? 'upstream';
    this.offer(texts);
  }

  offer(texts: Texts): void {
    const list = (kind: EntryKind) => (texts[kind] ?? []).map((json) => entry(kind, json));
    this.#listing = {
      tool: list('tool'),
      prompt: list('prompt'),
      resource: list('resource'),
      template: list('template'),
    };
  }

  listing(): Listing {
    return this.#listing;
  }

  isKnown(): boolean {
    return this.known;
  }

  acceptsUnlisted(_kind: EntryKind, ownName: string): boolean {
    return this.unlisted.includes(ownName);
  }

  call(): RunningCall {
    return NOTHING_TO_CANCEL;
  }
}
