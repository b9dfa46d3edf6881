/** A string, whole; or a comment; or a comma with nothing but space and comments between it and a closing bracket. */
const TOKENS =
  /("[^"\\]*(?:\\.[^"\\]*)*")|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*\*\/|,(?=(?:\s|\/\/[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)*[}\]])/g;

/**
 * Reads JSON as editors write it: comments, and commas after last items.
 * @throws SyntaxError where it is no JSON even then
 */
export function parseJsonc(text: string): unknown {
  const source = text.replace(/^\uFEFF/, '');
  try {
    return JSON.parse(source);
  } catch {
    // The usual case costs nothing more; what follows says itself what is wrong.
    return JSON.parse(source.replace(TOKENS, (_token, string?: string) => string ?? ' '));
  }
}
