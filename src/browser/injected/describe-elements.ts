/** Position and size in CSS pixels; the position is that in the viewport of the element's frame. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface ElementFacts {
  readonly tagName: string;
  /** Names and values. */
  readonly attributes: readonly (readonly [string, string])[];
  /** Missing for an element that is not displayed. */
  readonly box?: Box;
}

/** Describes elements; long values and long lists of attributes are cut, and what is in a field for a password is not told. */
export function describeElements(...elements: Element[]): ElementFacts[] {
  const cut = (text: string, max: number) => (text.length > max ? `${text.slice(0, max - 1).toWellFormed()}…` : text);
  /** Characters of all attributes. */
  let left = 400_000;
  // A form whose fields are called like its properties hides these behind them.
  const propertyOf = (name: string, element: Element): unknown =>
    Object.getOwnPropertyDescriptor(Element.prototype, name)!.get!.call(element);
  const isSecret = (element: Element, name: string) =>
    name === 'value' && element instanceof HTMLInputElement && element.type === 'password';
  const attributesOf = (element: Element) => {
    const shown: [string, string][] = [];
    for (const { name, value } of [...(propertyOf('attributes', element) as NamedNodeMap)].slice(0, 100)) {
      if (left <= 0) break;
      const told = isSecret(element, name) ? '(hidden)' : cut(value, Math.min(1_000, left));
      shown.push([cut(name, 200), told]);
      left -= name.length + told.length;
    }
    return shown;
  };
  const rounded = (pixels: number) => Math.round(pixels * 100) / 100;
  const boxOf = (element: Element): { box?: Box } => {
    if (Element.prototype.getClientRects.call(element).length === 0) return {};
    const { x, y, width, height } = Element.prototype.getBoundingClientRect.call(element);
    return { box: { x: rounded(x), y: rounded(y), width: rounded(width), height: rounded(height) } };
  };
  return elements.map((element) => ({
    tagName: cut(propertyOf('tagName', element) as string, 200),
    attributes: attributesOf(element),
    ...boxOf(element),
  }));
}

/** Returns where in the viewport the content of a frame's element begins, and how much styles have scaled it. */
export function contentOrigin(frame: Element): { x: number; y: number; scale: number } {
  const element = frame as HTMLElement;
  const box = element.getBoundingClientRect();
  const style = getComputedStyle(element);
  const scale = element.offsetWidth === 0 ? 1 : box.width / element.offsetWidth;
  return {
    x: box.left + (element.clientLeft + Number.parseFloat(style.paddingLeft)) * scale,
    y: box.top + (element.clientTop + Number.parseFloat(style.paddingTop)) * scale,
    scale,
  };
}
