import type { Descriptor } from '../../core/providers/provider.ts';

export interface ListDifference {
  readonly added: number;
  readonly updated: number;
  readonly removed: number;
}

/** Compares two lists of one kind as a client would. */
export function differenceOf(before: readonly Descriptor[], after: readonly Descriptor[]): ListDifference {
  const old = new Map(before.map((entry) => [entry.ownName, entry.fingerprint]));
  let added = 0;
  let updated = 0;
  for (const entry of after) {
    const fingerprint = old.get(entry.ownName);
    if (fingerprint === undefined) added++;
    else if (fingerprint !== entry.fingerprint) updated++;
    old.delete(entry.ownName);
  }
  return { added, updated, removed: old.size };
}

/** Returns whether lists have the same entries in the same order, for clients and as the upstream wrote them. */
export function areSame(before: readonly Descriptor[], after: readonly Descriptor[]): boolean {
  if (before === after) return true;
  return before.length === after.length && before.every((entry, index) => isSame(entry, after[index]!));
}

function isSame(before: Descriptor, after: Descriptor): boolean {
  if (before === after) return true;
  return (
    before.ownName === after.ownName &&
    before.fingerprint === after.fingerprint &&
    before.source === after.source &&
    before.forLegacy?.text === after.forLegacy?.text &&
    before.forModern?.text === after.forModern?.text
  );
}
