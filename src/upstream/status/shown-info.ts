import { cleanText, cutText } from '../../core/text/clean-text.ts';

/** Characters of one text, and parts of one object or array, that are shown. */
const MAX_CHARACTERS = 200;
const MAX_PARTS = 20;

/**
 * Returns a server's description of itself as it is shown to people and models: texts are cleaned, cut and masked, and of long
 * lists the first parts are shown.
 * @param info a value of JSON
 * @param mask hides secrets
 */
export function shownInfo<Info>(info: Info, mask: (text: string) => string): Info {
  const shown = (value: unknown): unknown => {
    if (typeof value === 'string') return mask(cutText(cleanText(value), MAX_CHARACTERS));
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.slice(0, MAX_PARTS).map(shown);
    const members = Object.entries(value).slice(0, MAX_PARTS);
    return Object.fromEntries(members.map(([key, each]) => [shown(key) as string, shown(each)]));
  };
  return shown(info) as Info;
}
