import type { ByteString } from '../../../wire/bytes.ts';
import { rawText } from '../../../wire/lens.ts';
import type { Member, Span } from '../../../wire/scanning/outline.ts';

/** The decision about one member: keep it, drop it, or replace its value. */
export type Fix = 'keep' | 'drop' | { readonly value: ByteString };

/** Returns an object with fixes applied. Without any it keeps its very bytes, white space included. */
export function rewrite(
  text: Buffer,
  members: readonly Member[],
  fix: (member: Member) => Fix,
  span?: Span,
): ByteString {
  const fixes = fixesOf(members, fix);
  const changed = members.some((member, index) => !isUnchanged(text, member, fixes[index]!));
  if (!changed) return rawText(text, span ?? { start: 0, end: text.length });
  const parts: string[] = [];
  for (const [index, member] of members.entries()) {
    const decided = fixes[index]!;
    if (decided === 'drop') continue;
    const value = decided === 'keep' ? rawText(text, member) : decided.value;
    parts.push(`${text.toString('latin1', member.keyStart, member.keyEnd)}:${value}`);
  }
  return `{${parts.join(',')}}`;
}

function isUnchanged(text: Buffer, member: Member, fix: Fix): boolean {
  return fix === 'keep' || (fix !== 'drop' && fix.value === rawText(text, member));
}

/**
 * Returns the fix of each member. If a key occurs several times, the last one counts. If that one is dropped, the
 * earlier ones are dropped too: a reader would find them instead.
 */
function fixesOf(members: readonly Member[], fix: (member: Member) => Fix): Fix[] {
  const lastFixes = new Map<string, Fix>();
  return members
    .toReversed()
    .map((member): Fix => {
      const lastFix = lastFixes.get(member.key);
      if (lastFix !== undefined) return lastFix === 'drop' ? 'drop' : 'keep';
      const decided = fix(member);
      lastFixes.set(member.key, decided);
      return decided;
    })
    .toReversed();
}
