/** Position in a frame's viewport, in CSS pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export type PointAnswer =
  | ({ readonly kind: 'point' } & Point)
  | { readonly kind: 'gone' | 'disabled' | 'hidden' | 'boxless' | 'option' }
  /** `by` describes the element that a click would hit instead. */
  | { readonly kind: 'covered'; readonly by: string };

/**
 * Scrolls an element into view and returns a point at which a click hits it.
 * @param block where to scroll it to
 * @param inner for a frame's element: the point of its document that is to be hit; else `null`, for the middle of the element
 */
export function clickPoint(element: Element, block: ScrollLogicalPosition, inner: Point | null): PointAnswer {
  const shown = (low: number, high: number, max: number): [number, number] => [Math.max(low, 0), Math.min(high, max)];
  const middleOf = (box: DOMRect): Point | undefined => {
    const [left, right] = shown(box.left, box.right, innerWidth);
    const [top, bottom] = shown(box.top, box.bottom, innerHeight);
    return right - left < 0.5 || bottom - top < 0.5 ? undefined : { x: (left + right) / 2, y: (top + bottom) / 2 };
  };
  const hasArea = (box: DOMRect) => box.width >= 0.5 && box.height >= 0.5;
  const boxes = () => [...element.getClientRects()].filter(hasArea);
  /** Styles may scale the frame. */
  const ofFrame = ({ x, y }: Point, frame: HTMLElement): Point => {
    const box = frame.getBoundingClientRect();
    const style = getComputedStyle(frame);
    const left = frame.clientLeft + Number.parseFloat(style.paddingLeft);
    const top = frame.clientTop + Number.parseFloat(style.paddingTop);
    return {
      x: box.left + (left + x) * (box.width / frame.offsetWidth),
      y: box.top + (top + y) * (box.height / frame.offsetHeight),
    };
  };
  const isInView = ({ x, y }: Point) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
  const scrollTo = (point: Point) => {
    element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const now = ofFrame(point, element as HTMLElement);
    if (!isInView(now)) scrollBy({ left: now.x - innerWidth / 2, top: now.y - innerHeight / 2, behavior: 'instant' });
  };
  const wanted = (): Point | undefined => {
    if (inner === null) {
      element.scrollIntoView({ block, inline: 'nearest', behavior: 'instant' });
      return boxes()
        .map(middleOf)
        .find((point) => point !== undefined);
    }
    if (block !== 'nearest' || !isInView(ofFrame(inner, element as HTMLElement))) scrollTo(inner);
    return ofFrame(inner, element as HTMLElement);
  };
  /** The roots that hold the element, by their hosts: closed ones are known only from inside. */
  const rootsByHost = () => {
    const roots = new Map<Element, ShadowRoot>();
    let root = element.getRootNode();
    for (; root instanceof ShadowRoot; root = root.host.getRootNode()) roots.set(root.host, root);
    return roots;
  };
  const hitAt = ({ x, y }: Point): Element | null => {
    const roots = rootsByHost();
    // Elements with such a name hide the function of the document behind them.
    let hit: Element | null = Document.prototype.elementFromPoint.call(document, x, y);
    for (
      let root = hit && (hit.shadowRoot ?? roots.get(hit));
      hit !== null && root;
      root = hit.shadowRoot ?? roots.get(hit)
    ) {
      const deeper: Element | null = root.elementFromPoint(x, y);
      if (deeper === null || deeper === hit) break;
      hit = deeper;
    }
    return hit;
  };
  const parentOf = (node: Node): Node | null => {
    if (node instanceof ShadowRoot) return node.host;
    return (node instanceof Element ? node.assignedSlot : null) ?? node.parentNode;
  };
  /** A click on the label of an element is one on the element. */
  const isMeant = (node: Node) => node === element || (node instanceof HTMLLabelElement && node.control === element);
  const isHit = (hit: Element | null) => {
    for (let node: Node | null = hit; node !== null; node = parentOf(node)) if (isMeant(node)) return true;
    return false;
  };
  const described = (hit: Element | null) => {
    if (hit === null) return 'the edge of the page';
    // Fields called "id" and the like hide the properties of their form behind them.
    const attribute = (name: string) => Element.prototype.getAttribute.call(hit, name) ?? '';
    const tag: string = Object.getOwnPropertyDescriptor(Element.prototype, 'localName')!.get!.call(hit);
    const id = attribute('id') === '' ? '' : `#${attribute('id').slice(0, 60)}`;
    const classes = attribute('class').slice(0, 1_000).split(/\s+/).filter(Boolean).slice(0, 3);
    return [tag.slice(0, 60), id, ...classes.map((name) => `.${name.slice(0, 40)}`)].join('');
  };
  const problem = (): PointAnswer | undefined => {
    if (!element.isConnected) return { kind: 'gone' };
    if (element.closest(':disabled') !== null) return { kind: 'disabled' };
    if (element instanceof HTMLOptionElement) return { kind: 'option' };
    if (boxes().length === 0) return { kind: 'boxless' };
    return element.checkVisibility({ visibilityProperty: true }) ? undefined : { kind: 'hidden' };
  };
  const answer = (): PointAnswer => {
    const point = wanted();
    if (point === undefined) return { kind: 'covered', by: 'the edge of the page' };
    const hit = hitAt(point);
    return isHit(hit) ? { kind: 'point', ...point } : { kind: 'covered', by: described(hit) };
  };
  return problem() ?? answer();
}

/** Clicks on an element that has no place on the screen. */
export function clickDirectly(element: Element): void {
  if (element instanceof HTMLElement) element.click();
  else
    element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, composed: true, view: window }));
}
