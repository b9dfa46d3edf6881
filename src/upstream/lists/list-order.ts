import type { EntryKind } from '../../core/providers/provider.ts';
import { CULPRIT, type ListState } from './list-state.ts';

export type ListStates = ReadonlyMap<EntryKind, ListState>;

/**
 * Says which lists may be asked for now. Those that have done no harm go together and first. Those during which a connection
 * ended follow one by one, so that it shows which of them it was.
 * @param lists the lists that the upstream has
 * @returns kinds that are `unread`, in the order of `lists`
 */
export function nextInTurn(lists: ListStates): readonly EntryKind[] {
  const unread = [...lists].filter(([, { phase }]) => phase === 'unread');
  const harmless = unread.filter(([, { losses }]) => losses === 0);
  if (harmless.length > 0) return harmless.map(([kind]) => kind);
  const isBusy = [...lists.values()].some(({ phase }) => phase === 'reading');
  return isBusy ? [] : unread.slice(0, 1).map(([kind]) => kind);
}

/** Returns whether the only list that is asked for has ended connections before: it has ended one again if one ends now. */
export function isCulprit(lists: ListStates): boolean {
  const out = [...lists.values()].filter(({ phase }) => phase === 'reading');
  return out.length === 1 && out[0]!.losses >= CULPRIT;
}

/** Returns whether no other list is asked for. One whose answer is overdue does not count: the connection has survived it. */
export function isAlone(lists: ListStates, kind: EntryKind): boolean {
  return [...lists].every(([other, { phase }]) => other === kind || phase !== 'reading');
}
