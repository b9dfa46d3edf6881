import { finalAnswer } from './final-answer.ts';

/** Decides whether a model's text gives the expected answer, however it is laid out. */
export type Check = (text: string) => boolean;

/** A number, with a fraction or a percent sign behind it. */
const NUMBER = /-?\d{1,15}(?:\.\d{1,15})?(?:\s?\/\s?\d{1,15})?(?:\s?%)?/g;
const TOLERANCE = 0.000_5;

/** Returns a check for a number. A probability may be a fraction, a decimal or a percentage. */
export function isNumber(expected: number): Check {
  return (text) => {
    const { text: answer, isMarked } = finalAnswer(text);
    const numbers = numbersIn(answer);
    const result = numbersIn(answer.slice(answer.lastIndexOf('=') + 1))[0];
    const candidates = isMarked ? [numbers[0], result] : [numbers.at(-1)];
    return candidates.some((number) => number !== undefined && Math.abs(number - expected) <= TOLERANCE);
  };
}

function numbersIn(text: string): number[] {
  return (text.match(NUMBER) ?? []).map((found) => {
    const [over, under = '1'] = found.replace('%', '').split('/');
    return Number(over) / Number(under) / (found.endsWith('%') ? 100 : 1);
  });
}

/** Returns a check for words: one of the phrases is in the answer, and none of the wrong ones. */
export function says(phrases: readonly string[], wrong: readonly string[] = []): Check {
  return (text) => {
    const answer = words(finalAnswer(text).text);
    const has = (phrase: string) => answer.includes(words(phrase));
    return phrases.some(has) && !wrong.some(has);
  };
}

/** Returns a check for yes or no: the first of the two that is in the answer counts. */
export function isYesOrNo(expected: 'yes' | 'no'): Check {
  return (text) => (words(finalAnswer(text).text).match(/ (?:yes|no)(?= )/)?.[0] ?? '').trim() === expected;
}

/** Returns the words of a text in lower case, each between spaces. */
function words(text: string): string {
  const found = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return ` ${found.join(' ')} `;
}
