import {
  type Alias,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import { type ConfigPath, type Finding, matches } from '../findings/finding.ts';
import { keyOf } from './positions.ts';

/** A config has 6 levels. The parser itself gives up at some 800. */
const MAX_DEPTH = 64;
/** The maximum number of values that aliases may stand for: a "billion laughs" file is refused at once. */
const MAX_ALIAS_VALUES = 10_000;

const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Paths where `8080` and `true` mean their text; `1.10` must not become `1.1`. */
const TEXT_PATHS = [
  'upstreams.*.args.*',
  'upstreams.*.env.*',
  'upstreams.*.headers.*',
  'defaults.env.*',
  'defaults.headers.*',
  'upstreams.*.tls.passphrase',
  'upstreams.*.auth.clientId',
  'upstreams.*.auth.clientSecret',
];
/** Paths where a key without a value (for example, with all of it commented out) counts as absent. */
const SECTION_PATHS = [
  '*',
  'workflows.*',
  'upstreams.*.args',
  'upstreams.*.env',
  'upstreams.*.headers',
  'upstreams.*.tls',
  'upstreams.*.tools',
  'upstreams.*.timeouts',
  'defaults.env',
  'defaults.headers',
  'defaults.tools',
  'defaults.timeouts',
];

/** Converts YAML nodes to plain values, and reports in `findings` what it cannot convert. */
export class PlainValueReader {
  readonly findings: Finding[] = [];
  /** The value is so incomplete that checking it would only mislead. */
  incomplete = false;
  readonly targets = new Map<Alias, Node>();
  readonly #anchors = new Map<string, Node>();
  /** The lists and mappings around what is being read: an alias to one of them would never end. */
  readonly #around = new Set<Node>();
  #aliasValues = 0;
  /** The alias in the text itself that is being read, others inside its target aside. */
  #outermost: { readonly alias: Alias; readonly path: ConfigPath } | undefined;

  read(node: unknown, path: ConfigPath = []): unknown {
    if (!isNode(node)) return null;
    if (this.#outermost !== undefined && ++this.#aliasValues > MAX_ALIAS_VALUES) return this.#refuseBomb();
    if (path.length > MAX_DEPTH) return this.#giveUp(node, [], 'nested too deeply');
    if (isAlias(node)) return this.#readAlias(node, path);
    this.#rememberAnchor(node);
    return isScalar(node) ? readScalar(node, path) : this.#readCollection(node, path);
  }

  #readCollection(node: Node, path: ConfigPath): unknown {
    this.#around.add(node);
    const value = isMap(node) ? this.#readMap(node, path) : this.#readList(node, path);
    this.#around.delete(node);
    return value;
  }

  #readList(node: Node, path: ConfigPath): unknown {
    return isSeq(node) ? node.items.map((item, index) => this.read(item, [...path, index])) : null;
  }

  #rememberAnchor(node: Node): void {
    const anchor = 'anchor' in node ? node.anchor : undefined;
    // A node that is read again through an alias is already in the map. Setting it again would undo a later anchor of
    // the same name.
    if (typeof anchor === 'string' && this.#outermost === undefined) this.#anchors.set(anchor, node);
  }

  #readAlias(alias: Alias, path: ConfigPath): unknown {
    const target = this.targets.get(alias) ?? this.#anchors.get(alias.source);
    if (target === undefined) {
      const hint = `a text that begins with * must be quoted: '*${alias.source}'`;
      return this.#giveUp(alias, path, `the alias *${alias.source} has no anchor before it`, hint);
    }
    this.targets.set(alias, target);
    if (this.#around.has(target)) return this.#giveUp(alias, path, `the alias *${alias.source} contains itself`);
    const isOutermost = this.#outermost === undefined;
    this.#outermost ??= { alias, path };
    const value = this.read(target, path);
    if (isOutermost) this.#outermost = undefined;
    return value;
  }

  #readMap(map: YAMLMap, path: ConfigPath): unknown {
    const entries = new Map<string, unknown>();
    const written = new Map<string, Pair>();
    for (const pair of map.items) {
      const key = keyOf(pair);
      if (isNode(pair.key)) this.#rememberAnchor(pair.key);
      if (this.#isRefused(pair, written.get(key), path)) continue;
      written.set(key, pair);
      const value = this.read(pair.value, [...path, key]);
      if (value === null && SECTION_PATHS.some((pattern) => matches([...path, key], pattern))) continue;
      entries.set(key, value);
    }
    return Object.fromEntries(entries);
  }

  #isRefused(pair: Pair, earlier: Pair | undefined, path: ConfigPath): boolean {
    const key = keyOf(pair);
    const refusal = refusalOf(pair, earlier);
    if (refusal !== undefined) this.findings.push({ path: [...path, key], at: offsetOf(pair.key), ...refusal });
    return refusal !== undefined;
  }

  /** Once: the readers of all values around this one still have to return. */
  #refuseBomb(): undefined {
    if (this.#outermost === undefined || this.#aliasValues > MAX_ALIAS_VALUES + 1) return undefined;
    const { alias, path } = this.#outermost;
    return this.#giveUp(alias, path, `aliases up to here stand for more than ${MAX_ALIAS_VALUES} values`);
  }

  #giveUp(node: Node, path: ConfigPath, message: string, hint?: string): undefined {
    this.incomplete = true;
    this.findings.push({ path, at: offsetOf(node), message, hint });
    return undefined;
  }
}

function readScalar(scalar: Scalar, path: ConfigPath): unknown {
  const { value } = scalar;
  if (typeof value !== 'number' && typeof value !== 'boolean') return value;
  const isText = TEXT_PATHS.some((pattern) => matches(path, pattern));
  return isText ? (scalar.source ?? String(value)) : value;
}

function refusalOf(pair: Pair, earlier: Pair | undefined): Pick<Finding, 'message' | 'hint'> | undefined {
  const key = keyOf(pair);
  if (FORBIDDEN_KEYS.has(key)) return { message: 'this key is never allowed' };
  if (key === '<<' && isScalar(pair.key) && pair.key.type === 'PLAIN') {
    return {
      message: 'merge keys (<<) are not supported',
      hint: 'write the keys out, or use an alias for a whole value',
    };
  }
  if (earlier !== undefined) return { message: 'this key occurs twice', hint: 'keep one of them' };
  return undefined;
}

const offsetOf = (node: unknown): number => (isNode(node) ? (node.range?.[0] ?? 0) : 0);
