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

/** Describes elements; long values and long lists of attributes are cut. */
export function describeElements(...elements: Element[]): ElementFacts[] {
  const cut = (text: string, max: number) => (text.length > max ? `${text.slice(0, max - 1).toWellFormed()}…` : text);
  const attributesOf = ({ attributes }: Element) =>
    [...attributes].slice(0, 100).map(({ name, value }): [string, string] => [cut(name, 200), cut(value, 1_000)]);
  const rounded = (pixels: number) => Math.round(pixels * 100) / 100;
  const boxOf = (element: Element): { box?: Box } => {
    if (element.getClientRects().length === 0) return {};
    const { x, y, width, height } = element.getBoundingClientRect();
    return { box: { x: rounded(x), y: rounded(y), width: rounded(width), height: rounded(height) } };
  };
  return elements.map((element) => ({
    tagName: cut(element.tagName, 200),
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
