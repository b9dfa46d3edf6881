/** Returns a text as every database can keep it: PostgreSQL has no NUL in its texts, and UTF-8 has no half characters. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\u{FFFD}');
}
