/** Returns a line of a log that the gateway has written, not the build. */
export function noteLine(text: string): string {
  return `[viaduct: ${text}]\n`;
}
