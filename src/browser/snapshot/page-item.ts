/** A piece of a document in reading order: a text, the end of a line (0), or a thing with a role. */
export type PageItem = string | 0 | PageNode;

/** An element that means something to a reader, as it is in a document. */
export interface PageNode {
  /** One of our words, never the page's: an ARIA role, or the kind of a field such as `date`. */
  readonly role: string;
  /** The name that the page gives it by a label or an attribute. */
  readonly name?: string;
  /** Names it if it has neither a name nor text. */
  readonly hint?: string;
  readonly value?: string;
  /** True for a password: its value never leaves the page. */
  readonly isSecret?: true;
  /** Words of ours: disabled, checked, … */
  readonly states?: readonly string[];
  /** Labels of the options of a select. */
  readonly options?: readonly string[];
  readonly optionCount?: number;
  readonly level?: number;
  /** Address of a link: a path for one of the same origin. */
  readonly url?: string;
  /** Number of its element among all that were read of the document; only what can be acted upon, and frames. */
  readonly element?: number;
  readonly items?: readonly PageItem[];
}

/** A document, or a part of it. */
export interface PageReading {
  readonly title: string;
  readonly url: string;
  readonly items: readonly PageItem[];
  /** True if the document is larger than the limits. */
  readonly isCut: boolean;
  /** Number of the first element that comes with this reading; those before came with an earlier one. */
  readonly firstNew: number;
}

/** Limits of a reading: a page can be of any size. */
export interface ReadingLimits {
  /** Elements that are looked at. */
  readonly elements: number;
  /** Elements that are returned. */
  readonly acted: number;
  /** Characters of all texts. */
  readonly characters: number;
  /** Characters of one text. */
  readonly text: number;
  /** Characters of the attributes of all elements that are returned: the browser sends these along. */
  readonly attributes: number;
}
