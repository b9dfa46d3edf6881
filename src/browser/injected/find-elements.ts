/**
 * Returns the elements that a selector matches: those of the document in its order, then those of open shadow roots.
 * @throws Error if the selector is invalid
 */
export function findElements(selector: string, limit: number): Element[] {
  const found: Element[] = [];
  const roots: (Document | ShadowRoot)[] = [document];
  // Elements with names such as "querySelectorAll" hide the functions of the document behind them.
  const matchesIn = (root: Document | ShadowRoot, wanted: string): NodeListOf<Element> =>
    (root === document ? Document.prototype : DocumentFragment.prototype).querySelectorAll.call(root, wanted);
  const take = (root: Document | ShadowRoot) => {
    for (const element of matchesIn(root, selector)) if (found.length < limit) found.push(element);
  };
  const addRootsIn = (root: Document | ShadowRoot) => {
    for (const { shadowRoot } of matchesIn(root, '*')) if (shadowRoot instanceof ShadowRoot) roots.push(shadowRoot);
  };
  for (let next = roots.shift(); next !== undefined && found.length < limit; next = roots.shift()) {
    take(next);
    if (found.length < limit) addRootsIn(next);
  }
  return found;
}

/** Returns the first of the elements that `findElements` would return. */
export function findFirst(selector: string): Element | null {
  const prototypeOf = (root: Document | ShadowRoot) =>
    root === document ? Document.prototype : DocumentFragment.prototype;
  const rootsIn = (root: Document | ShadowRoot) =>
    [...prototypeOf(root).querySelectorAll.call(root, '*')].flatMap(({ shadowRoot }) =>
      shadowRoot instanceof ShadowRoot ? shadowRoot : [],
    );
  const find = (root: Document | ShadowRoot): Element | null => {
    const found: Element | null = prototypeOf(root).querySelector.call(root, selector);
    if (found !== null) return found;
    for (const inner of rootsIn(root)) {
      const deeper = find(inner);
      if (deeper !== null) return deeper;
    }
    return null;
  };
  return find(document);
}
