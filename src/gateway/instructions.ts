import type { ListSource, NamedProvider } from '../core/providers/provider.ts';
import { cleanText } from '../core/text/clean-text.ts';

const INTRODUCTION =
  'Viaduct gives access to several MCP servers through one connection. Names of tools and prompts begin with the prefix of their server';

/** Returns what models are told of the gateway: our own words, and those of upstreams whose entries ask for it. */
export function instructionsFor(upstreams: readonly (NamedProvider & Pick<ListSource, 'instructions'>)[]): string {
  if (upstreams.length === 0) return 'Viaduct has no servers configured yet.';
  const names = upstreams.map(({ id, prefix }) => `${id} (${prefix === '' ? 'no prefix' : `${prefix}_`})`);
  const theirs = upstreams.flatMap((upstream) => {
    const words = upstream.instructions?.();
    return words === undefined ? [] : [`\n\n## Instructions of ${upstream.id}\n\n${cleanText(words)}`];
  });
  return `${INTRODUCTION}: ${names.join(', ')}.${theirs.join('')}`;
}
