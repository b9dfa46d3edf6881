/** Returns a word as a shell takes it: in quotes if it has characters that mean something to a shell. */
export const shellWord = (word: string): string => (/^[\w./:@=+-]+$/.test(word) ? word : JSON.stringify(word));
