const LONGEST = 40;

/** Returns a text of the file in quotes, on one line and not too long, for a message. */
export const quoted = (text: string): string =>
  JSON.stringify(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
