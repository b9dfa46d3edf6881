import type { PageNode } from './page-item.ts';

/** A piece of a page, all its frames included: a text, the end of a line (0), or a thing with a role. */
export type ShownItem = string | 0 | ShownNode;

/** A thing of a page with the id by which it can be acted upon. */
export interface ShownNode extends Omit<PageNode, 'element' | 'items'> {
  readonly id?: string;
  readonly items?: readonly ShownItem[];
  /** Words of ours that are behind it in parentheses. */
  readonly remark?: string;
}

/** A line of a snapshot. */
export interface Line {
  /** The number of lines that contain it. */
  readonly depth: number;
  readonly text: string;
  /** The first id in the line. */
  readonly id?: string | undefined;
}

/** Returns whether one of the items, or something within them, can be acted upon. */
export function hasActed(items: readonly ShownItem[]): boolean {
  return items.some((item) => typeof item === 'object' && (item.id !== undefined || hasActed(item.items ?? [])));
}

/** Returns the text of items, each thing by its name or its text. */
export function textOf(items: readonly ShownItem[]): string {
  return items.map((item) => (item === 0 ? ' ' : typeof item === 'string' ? item : ` ${nameOf(item)} `)).join('');
}

/** Returns the name of a thing: the one that it was given, else its text, else its hint; `''` if it has none. */
export function nameOf({ name, items, hint }: ShownNode): string {
  return name || textOf(items ?? []).trim() || hint || '';
}
