/** The number of ports that may be listed, more than any IDE uses: each of them is asked. */
const MAX_PORTS = 200;
const RANGE = /^(\d{1,5})(?:-(\d{1,5}))?$/;

/** Returns the ports in a list such as `9960-9990` or `63342, 63350-63352`; `undefined` if it is none, or too long. */
export function readPorts(list: string | number | readonly number[]): number[] | undefined {
  const ports = new Set<number>();
  for (const part of String(list).split(',')) {
    const range = rangeOf(part.trim());
    if (range === undefined || range.last - range.first >= MAX_PORTS) return undefined;
    for (let port = range.first; port <= range.last; port++) ports.add(port);
  }
  return ports.size > MAX_PORTS ? undefined : [...ports];
}

interface Range {
  readonly first: number;
  readonly last: number;
}

function rangeOf(text: string): Range | undefined {
  const match = RANGE.exec(text);
  if (match === null) return undefined;
  const first = Number(match[1]);
  const last = Number(match[2] ?? match[1]);
  return first >= 1 && first <= last && last <= 65_535 ? { first, last } : undefined;
}

/** Ports for people: those in a row as a range. */
export function shownPorts(ports: readonly number[]): string {
  const ranges: { first: number; last: number }[] = [];
  for (const port of [...ports].sort((a, b) => a - b)) {
    const before = ranges.at(-1);
    if (before?.last === port - 1) before.last = port;
    else ranges.push({ first: port, last: port });
  }
  return ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`)).join(', ');
}
