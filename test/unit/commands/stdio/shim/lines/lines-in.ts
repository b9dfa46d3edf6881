import type { Line } from '../../../../../../src/commands/stdio/shim/lines/line.ts';
import { LineRelay } from '../../../../../../src/commands/stdio/shim/lines/line-relay.ts';

/** Cuts a text at these places. */
export function cutAt(text: string, cuts: readonly number[]): readonly Buffer[] {
  const bytes = Buffer.from(text);
  const places = [0, ...[...cuts].filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
  return places.slice(1).map((to, index) => bytes.subarray(places[index], to));
}

/** Returns the lines of a text that arrives in several chunks; its last newline may be missing. */
export function linesIn(text: string, cuts: readonly number[] = []): readonly Line[] {
  const lines: Line[] = [];
  const relay = new LineRelay({
    admit: (line) => lines.push(line) > 0,
    write: () => undefined,
    onOverlong: () => undefined,
  });
  for (const chunk of cutAt(text, cuts)) relay.push(chunk);
  relay.end();
  return lines;
}
