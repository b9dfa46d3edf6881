/**
 * Returns the elements that a selector matches: those of the document in its order, then those of open shadow roots.
 * @throws Error if the selector is invalid
 */
export function findElements(selector: string, limit: number): Element[] {
  const found: Element[] = [];
  const roots: (Document | ShadowRoot)[] = [document];
  const take = (root: Document | ShadowRoot) => {
    for (const element of root.querySelectorAll(selector)) if (found.length < limit) found.push(element);
  };
  const addRootsIn = (root: Document | ShadowRoot) => {
    for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot !== null) roots.push(shadowRoot);
  };
  for (let next = roots.shift(); next !== undefined && found.length < limit; next = roots.shift()) {
    take(next);
    if (found.length < limit) addRootsIn(next);
  }
  return found;
}

/** Returns the first of the elements that `findElements` would return. */
export function findFirst(selector: string): Element | null {
  const rootsIn = (root: Document | ShadowRoot) =>
    [...root.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ?? []);
  const find = (root: Document | ShadowRoot): Element | null => {
    const found = root.querySelector(selector);
    if (found !== null) return found;
    for (const inner of rootsIn(root)) {
      const deeper = find(inner);
      if (deeper !== null) return deeper;
    }
    return null;
  };
  return find(document);
}
