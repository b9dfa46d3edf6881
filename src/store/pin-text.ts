import { definitionText } from '../core/stores/definition-text.ts';
import type { Pin, PinBook, PinnedDefinition } from '../core/stores/pin-store.ts';

const VERSION = 1;

/** The pins of one upstream of a config. */
export interface ConfigPins {
  readonly config: string;
  readonly upstream: string;
  readonly book: PinBook;
}

interface PinFile {
  readonly version: number;
  readonly config: string;
  readonly upstream: string;
  readonly tools: readonly (Pin & { readonly name: string })[];
}

/** Books are written whenever one pin of them changes: each pin is made text once. */
const texts = new WeakMap<Pin, string>();

/** Returns pins as they are kept in a file. */
export function pinText({ config, upstream, book }: ConfigPins): string {
  const head = JSON.stringify({ version: VERSION, config, upstream });
  const tools = [...book].map(([name, pin]) => `{"name":${JSON.stringify(name)}${membersOf(pin)}}`);
  return `${head.slice(0, -1)},"tools":[${tools.join(',')}]}`;
}

/** Returns the pins in a text; `undefined` for text that is not what `pinText` returns. */
export function pinsIn(text: string): ConfigPins | undefined {
  let value: Partial<PinFile> | null;
  try {
    value = JSON.parse(text) as Partial<PinFile> | null;
  } catch {
    return undefined;
  }
  if (value?.version !== VERSION || typeof value.config !== 'string' || typeof value.upstream !== 'string') return;
  if (!Array.isArray(value.tools) || !value.tools.every(isNamedPin)) return;
  const book = new Map(value.tools.map(({ name, ...pin }) => [name, pin]));
  return { config: value.config, upstream: value.upstream, book };
}

/** Returns the members of a pin, each after a comma. */
function membersOf(pin: Pin): string {
  let text = texts.get(pin);
  if (text === undefined) {
    text = Object.entries(pin)
      .map(([key, pinned]: [string, PinnedDefinition]) => `,"${key}":${pinnedText(pinned)}`)
      .join('');
    texts.set(pin, text);
  }
  return text;
}

function pinnedText({ definition, ...facts }: PinnedDefinition): string {
  return `${JSON.stringify(facts).slice(0, -1)},"definition":${definitionText(definition)}}`;
}

function isNamedPin(value: unknown): value is Pin & { name: string } {
  const { name, approved, pending } = (value ?? {}) as Record<string, unknown>;
  const isWhole = (part: unknown) => part === undefined || isPinned(part);
  return typeof name === 'string' && isWhole(approved) && isWhole(pending);
}

function isPinned(value: unknown): boolean {
  const { hash, definition, since } = (value ?? {}) as Record<string, unknown>;
  return typeof hash === 'string' && typeof since === 'string' && typeof definition === 'object' && definition !== null;
}
