import { AgentFileError } from '../agent-text.ts';

/** Variables or headers, as a mapping or as a list. */
export type NamedTexts = Readonly<Record<string, string>> | readonly ListedText[];

type ListedText = string | { readonly name: string; readonly value: string };

/**
 * Returns variables as a mapping, in the words of our config. An item of a list is `NAME=value`, or a name alone: that
 * variable is handed on.
 * @param ours spells references in a value as our config has them
 * @throws AgentFileError for an item that is neither; it quotes no value
 */
export function variablesOf(variables: NamedTexts, ours: (text: string) => string): Record<string, string> {
  return mappingOf(variables, { place: 'env', ours }, (item) => {
    const [, name, value] = /^([^=\0]+)(?:=(.*))?$/s.exec(item) ?? [];
    if (name === undefined) return undefined;
    return [name.trim(), value === undefined ? `\${${name.trim()}}` : ours(value)];
  });
}

/**
 * Returns headers as a mapping, in the words of our config. An item of a list is `Name: value`.
 * @param ours spells references in a value as our config has them
 * @throws AgentFileError for an item that is not; it quotes no value
 */
export function headersOf(headers: NamedTexts, ours: (text: string) => string): Record<string, string> {
  return mappingOf(headers, { place: 'headers', ours }, (item) => {
    const colon = item.indexOf(':');
    return colon < 1 ? undefined : [item.slice(0, colon).trim(), ours(item.slice(colon + 1).trim())];
  });
}

function mappingOf(
  texts: NamedTexts,
  { place, ours }: { readonly place: string; readonly ours: (text: string) => string },
  read: (item: string) => readonly [string, string] | undefined,
): Record<string, string> {
  if (!isList(texts)) {
    return Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, ours(value)]));
  }
  const pairs = texts.map((item, index) => {
    const pair = typeof item === 'string' ? read(item) : ([item.name, ours(item.value)] as const);
    if (pair === undefined) throw new AgentFileError(`${place}.${index}: it has no name and value`);
    return pair;
  });
  return Object.fromEntries(pairs);
}

function isList(texts: NamedTexts): texts is readonly ListedText[] {
  return Array.isArray(texts);
}
