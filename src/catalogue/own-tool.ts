import type { Provider } from '../core/providers/provider.ts';
import { toBuffer } from '../wire/bytes.ts';
import { readableAt } from '../wire/lens.ts';
import type { ListedEntry, Route } from './merged-list.ts';

/** A name that servers give to tools of theirs: of one of them, or of several, which clients tell apart by public names only. */
export type OwnTool = Route | { readonly publicNames: readonly string[] };

/**
 * Returns the tool that a server itself calls by this name: an app calls the tools of its own server so (SEP-1865,
 * "Standard MCP Messages"). Calls do not say which app they come from, so a name that several upstreams have leads to
 * no tool.
 */
export function ownTool(
  name: string,
  tools: readonly ListedEntry[],
  providers: readonly Provider[],
): OwnTool | undefined {
  const upstreams = providers.filter(({ kind }) => kind === 'upstream');
  const found = tools.filter(({ route }) => route.ownName === name && upstreams.includes(route.provider));
  const withheld = upstreams.filter((provider) =>
    provider.withheld?.().some((entry) => entry.kind === 'tool' && entry.name === name),
  );
  const owners = new Set([...found.map(({ route }) => route.provider), ...withheld]);
  if (owners.size > 1) return { publicNames: found.map((entry) => entry.name) };
  return found[0]?.route;
}

/** Tells whether only apps of a tool's own server may call it (SEP-1865, "Visibility"). */
export function isForAppsOnly({ descriptor }: Route): boolean {
  if (descriptor === undefined || !descriptor.text.includes('visibility')) return false;
  const text = toBuffer(descriptor.text);
  const tool = readableAt(text, { start: 0, end: text.length }) as { _meta?: { ui?: { visibility?: unknown } } };
  const visibility = tool._meta?.ui?.visibility;
  return Array.isArray(visibility) && !visibility.includes('model');
}
