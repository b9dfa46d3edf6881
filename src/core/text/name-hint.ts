import { nearestNames } from './nearest-names.ts';

/** Names in a question, and in a list of all that there are. */
const MAX_MEANT = 3;
const MAX_KNOWN = 30;

/**
 * Asks whether a known name was meant: `Did you mean "a" or "b"?`
 * @returns `''` where none is near
 */
export function didYouMean(wanted: string, known: readonly string[]): string {
  return meantWords(
    nearestNames(
      wanted,
      known.map((name) => ({ told: name, compared: name })),
    ),
  );
}

/** The same for names that were found to be near, the nearest first. */
export function meantWords(names: readonly string[]): string {
  const shown = names.slice(0, MAX_MEANT).map((name) => `"${name}"`);
  if (shown.length < 2) return shown.length === 0 ? '' : `Did you mean ${shown[0]}?`;
  return `Did you mean ${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}?`;
}

/** Asks whether a known name was meant; where none is near, says which there are. */
export function nameHint(wanted: string, known: readonly string[]): string {
  const question = didYouMean(wanted, known);
  if (question !== '') return question;
  const left = known.length - MAX_KNOWN;
  const names = known.slice(0, MAX_KNOWN).join(', ') || 'none';
  return `Known: ${left > 0 ? `${names} and ${left} more` : names}`;
}
