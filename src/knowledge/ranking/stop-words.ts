/** Words of questions that say nothing about their subject. */
const WORDS =
  'a an and are as at be been being but by can could did do does for from had has have how i if in into is it its me my of on or our should so such than that the their them then there these they this those to was we were what when where which while who why will with would you your';

const STOP_WORDS: ReadonlySet<string> = new Set(WORDS.split(' '));

export const isStopWord = (word: string): boolean => STOP_WORDS.has(word.toLowerCase());
