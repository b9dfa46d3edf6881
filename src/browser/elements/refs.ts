import type { Frame } from '../page/frames.ts';

/** An element of a document, as the DevTools protocol names it. */
export interface ElementPlace {
  readonly frame: Frame;
  readonly backendNodeId: number;
}

/** Short ids of elements, stable while the element lives: e1, e2, … Each page has one table. */
export interface ElementRefs {
  /** Returns the id of an element, and gives it one if it has none. */
  idOf(frame: Frame, backendNodeId: number): string;
  /** Returns the element of an id; `undefined` if the id was never given, or its document has gone. */
  find(id: string): ElementPlace | undefined;
}
