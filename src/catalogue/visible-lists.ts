import type { Scope } from '../core/access/permissions.ts';
import type { EntryKind } from '../core/providers/provider.ts';
import { type ListedEntry, type MergedList, type MergedLists, mergedList } from './merged-list.ts';

/** Returns the part of all lists that a scope allows. */
export function visibleLists(merged: MergedLists, scope: Scope): MergedLists {
  const shown = (kind: EntryKind): MergedList =>
    mergedList(merged[kind].entries.filter((entry) => isVisible(kind, entry, scope)));
  return { tool: shown('tool'), prompt: shown('prompt'), resource: shown('resource'), template: shown('template') };
}

function isVisible(kind: EntryKind, { name, route: { provider, ownName } }: ListedEntry, scope: Scope): boolean {
  if (!scope.allowsProvider(provider)) return false;
  if (kind === 'tool') return scope.allowsTool(name);
  return kind !== 'resource' || provider.isResourceWithin?.(ownName, scope) !== false;
}
