import {
  type Alias,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type LineCounter,
  type Node,
  type Pair,
  type YAMLMap,
} from 'yaml';
import type { ConfigPath, Finding } from '../findings/finding.ts';

export interface Position {
  readonly line: number;
  readonly column: number;
}

interface KeyPosition {
  readonly node: Node | null;
  /** The position where the key (or, in lists, the value) begins. */
  readonly keyOffset: number;
}

/** Knows where in the text of a YAML document each of its keys and values stands. */
export class Positions {
  readonly #root: Node | null;
  readonly #lines: LineCounter;
  readonly #targets: ReadonlyMap<Alias, Node>;
  /** Found once a mapping: a file may have very many wrong keys. */
  readonly #pairs = new WeakMap<YAMLMap, ReadonlyMap<string, Pair>>();

  constructor(root: Node | null, lines: LineCounter, targets: ReadonlyMap<Alias, Node>) {
    this.#root = root;
    this.#lines = lines;
    this.#targets = targets;
  }

  /** Returns the position of a finding. Something missing has the position of its nearest parent. */
  of(finding: Pick<Finding, 'path' | 'at'>): Position {
    return this.#positionAt(typeof finding.at === 'number' ? finding.at : this.#offsetOf(finding));
  }

  #positionAt(offset: number): Position {
    const { line, col } = this.#lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  }

  #offsetOf({ path, at }: Pick<Finding, 'path' | 'at'>): number {
    let place: KeyPosition = { node: this.#root, keyOffset: this.#root?.range?.[0] ?? 0 };
    for (const part of path) {
      const next = this.#step(place.node, part);
      if (next === undefined) return place.keyOffset;
      place = next;
    }
    return at === 'key' ? place.keyOffset : (place.node?.range?.[0] ?? place.keyOffset);
  }

  #step(node: Node | null, part: ConfigPath[number]): KeyPosition | undefined {
    const container = isAlias(node) ? this.#targets.get(node) : node;
    if (isSeq(container)) return placeInList(container.items[Number(part)]);
    if (!isMap(container)) return undefined;
    const pair = this.#pairsOf(container).get(String(part));
    if (!isNode(pair?.key)) return undefined;
    return { node: isNode(pair.value) ? pair.value : null, keyOffset: pair.key.range?.[0] ?? 0 };
  }

  #pairsOf(map: YAMLMap): ReadonlyMap<string, Pair> {
    const known = this.#pairs.get(map);
    if (known !== undefined) return known;
    // Backwards, so that of a key that occurs twice the first one stays, as in the value.
    const pairs = new Map(map.items.toReversed().map((pair) => [keyOf(pair), pair]));
    this.#pairs.set(map, pairs);
    return pairs;
  }
}

export const keyOf = (pair: Pair): string => (isScalar(pair.key) ? String(pair.key.value) : '');

function placeInList(item: unknown): KeyPosition | undefined {
  return isNode(item) ? { node: item, keyOffset: item.range?.[0] ?? 0 } : undefined;
}
