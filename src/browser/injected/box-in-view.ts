import type { Box } from './describe-elements.ts';

/** Scrolls an element into view and returns its place in the viewport of its frame; `null` if it has no size. */
export function boxInView(element: Element): Box | null {
  element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  const { x, y, width, height } = element.getBoundingClientRect();
  return width < 1 || height < 1 ? null : { x, y, width, height };
}
