export interface DescribedValue {
  /** JSON. */
  readonly value: unknown;
  /** True if part of it was left out. */
  readonly isCut: boolean;
}

/**
 * Returns a value of a page as JSON. What JSON has no form for is described in a text: `[function go]`, `[element button#buy]`.
 * @param budget about how many characters of JSON
 */
export function describeValue(root: unknown, budget: number): DescribedValue {
  const MAX_DEPTH = 20;
  let left = budget;
  let isCut = false;
  const path = new Set<object>();
  const text = (whole: string): string => {
    const room = Math.max(0, left);
    left -= Math.min(whole.length, room) + 2;
    if (whole.length <= room) return whole;
    isCut = true;
    return `${whole.slice(0, room).toWellFormed()}… (${whole.length} characters in all)`;
  };
  const element = (value: Element) => {
    // Fields called "id" and the like hide the properties of their form behind them.
    const attribute = (name: string) => Element.prototype.getAttribute.call(value, name) ?? '';
    const id = attribute('id') === '' ? '' : `#${attribute('id')}`;
    const classes = attribute('class').split(/\s+/).filter(Boolean);
    return `[element ${value.localName}${id}${classes.map((name) => `.${name}`).join('')}]`;
  };
  const node = (value: Node) => text(value instanceof Element ? element(value) : `[node ${value.nodeName}]`);
  const number = (value: number): unknown => {
    left -= 8;
    return Number.isFinite(value) && !Object.is(value, -0) ? value : Object.is(value, -0) ? '-0' : String(value);
  };
  const member = (read: () => unknown, depth: number): unknown => {
    try {
      return describe(read(), depth + 1);
    } catch (error) {
      return text(`[threw ${String(error)}]`);
    }
  };
  const list = (values: readonly unknown[], depth: number): unknown[] => {
    const shown: unknown[] = [];
    for (let index = 0; index < values.length; index++) {
      if (left <= 0) {
        isCut = true;
        return [...shown, `… (${values.length} items in all)`];
      }
      shown.push(member(() => values[index], depth) ?? null);
    }
    return shown;
  };
  const record = (value: object, depth: number): object => {
    const shown: [string, unknown][] = [];
    for (const key of Object.keys(value)) {
      if (left <= 0) {
        isCut = true;
        shown.push(['…', 'more members were cut']);
        break;
      }
      const described = member(() => (value as Record<string, unknown>)[key], depth);
      if (described !== undefined) shown.push([text(key), described]);
    }
    return Object.fromEntries(shown);
  };
  const isList = (value: object): value is ArrayLike<unknown> & object =>
    Array.isArray(value) ||
    (ArrayBuffer.isView(value) && !(value instanceof DataView)) ||
    value instanceof NodeList ||
    value instanceof HTMLCollection ||
    value instanceof DOMTokenList;
  const contents = (value: object, depth: number): unknown => {
    if (isList(value)) return list(value as unknown as readonly unknown[], depth);
    if (value instanceof Map) return list([...value.entries()], depth);
    if (value instanceof Set) return list([...value.values()], depth);
    return record(value, depth);
  };
  const object = (value: object, depth: number): unknown => {
    if (value instanceof Node) return node(value);
    if (value === window) return text('[window]');
    if (value instanceof Error) return text(String(value.stack ?? value));
    if (value instanceof RegExp) return text(`[${String(value)}]`);
    if (value instanceof Promise) return text('[promise]');
    const { toJSON } = value as { toJSON?: unknown };
    if (typeof toJSON === 'function') return describe(toJSON.call(value), depth + 1);
    if (path.has(value)) return text('[circular]');
    if (depth > MAX_DEPTH) return text('[deeper]');
    path.add(value);
    const shown = contents(value, depth);
    path.delete(value);
    return shown;
  };
  const describe = (value: unknown, depth: number): unknown => {
    if (value === null || typeof value === 'boolean' || value === undefined) {
      left -= 5;
      return value;
    }
    if (typeof value === 'string') return text(value);
    if (typeof value === 'number') return number(value);
    if (typeof value === 'bigint') return text(`${value}n`);
    if (typeof value === 'symbol') return text(`[${String(value)}]`);
    if (typeof value === 'function') return text(`[function ${value.name || 'without a name'}]`);
    return object(value, depth);
  };
  return { value: describe(root, 0), isCut };
}
