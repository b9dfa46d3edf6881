import type { PageNode } from '../snapshot/page-item.ts';

/** A node of a reading, while it is made. */
export type Draft = { -readonly [K in keyof PageNode]: PageNode[K] };

/** Facts about an element that follow from the elements around it. */
export interface Surroundings {
  /** Inside something that can be acted upon: that its pointer is a hand says nothing new. */
  readonly isActed: boolean;
  /** Inside the label of a field, whose name its text is already. */
  readonly isMuted: boolean;
  readonly isHidden: boolean;
  /** Nodes that it is within. */
  readonly nesting: number;
}

/** The elements that were returned before, as the world of our scripts remembers them. */
export interface Numbered {
  readonly token: string;
  readonly numbers: WeakMap<Element, number>;
  next: number;
}
