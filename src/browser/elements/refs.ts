import type { CdpSession } from '../cdp/cdp-session.ts';
import type { Frame } from '../page/frames.ts';
import type { TargetFollower } from '../page/targets.ts';

/** An element of a document, as the DevTools protocol names it. */
export interface ElementPlace {
  readonly frame: Frame;
  readonly backendNodeId: number;
}

/** Short ids of elements, stable while the element lives: e1, e2, … There is one table for each page. */
export interface ElementRefs {
  /** Returns the id of an element, a new one if it has none yet. */
  idOf(frame: Frame, backendNodeId: number): string;
  /** Returns the element of an id; `undefined` if the id was never given, or its document has gone. */
  find(id: string): ElementPlace | undefined;
  /** Returns true for an id that was given once, whether its element is still there or not. */
  wasGiven(id: string): boolean;
}

/** The ids of one document. Backend ids of another document may be the same numbers. */
export interface DocumentIds {
  frame: Frame;
  readonly byNode: Map<number, string>;
}

const MAX_IDS = 100_000;

/** Gives ids to elements and forgets them with their document. Numbers are never used again. */
export class RefTable implements ElementRefs, TargetFollower {
  readonly #maxIds: number;
  /** By the id of the frame, oldest document first. */
  readonly #documents = new Map<string, DocumentIds>();
  readonly #places = new Map<string, { readonly document: DocumentIds; readonly backendNodeId: number }>();
  #last = 0;

  /** @param maxIds ids that are kept; those of the oldest documents go first */
  constructor(maxIds = MAX_IDS) {
    this.#maxIds = maxIds;
  }

  async follow(session: CdpSession): Promise<void> {
    session.on('Page.frameNavigated', ({ frame }) => this.#forget(frame.id));
    session.on('Page.frameDetached', ({ frameId }) => this.#forget(frameId));
    session.ended.addEventListener('abort', () => this.#forgetSession(session), { once: true });
  }

  idOf(frame: Frame, backendNodeId: number): string {
    const document = this.documentOf(frame);
    const known = document.byNode.get(backendNodeId);
    if (known !== undefined) return known;
    const id = `e${++this.#last}`;
    document.byNode.set(backendNodeId, id);
    this.#places.set(id, { document, backendNodeId });
    if (this.#places.size > this.#maxIds) this.#forgetOldest(document);
    return id;
  }

  find(id: string): ElementPlace | undefined {
    const place = this.#places.get(id);
    return place && { frame: place.document.frame, backendNodeId: place.backendNodeId };
  }

  wasGiven(id: string): boolean {
    const [, number] = /^e([1-9]\d{0,11})$/.exec(id) ?? [];
    return number !== undefined && Number(number) <= this.#last;
  }

  /** Returns an object that stands for the document that a frame shows: the same one until the document has gone. */
  documentOf(frame: Frame): DocumentIds {
    const known = this.#documents.get(frame.id);
    if (known !== undefined && known.frame.session === frame.session) {
      known.frame = frame;
      return known;
    }
    this.#forget(frame.id);
    const document = { frame, byNode: new Map<number, string>() };
    this.#documents.set(frame.id, document);
    return document;
  }

  #forget(frameId: string): void {
    const document = this.#documents.get(frameId);
    this.#documents.delete(frameId);
    for (const id of document?.byNode.values() ?? []) this.#places.delete(id);
  }

  #forgetSession(session: CdpSession): void {
    for (const [id, { frame }] of this.#documents) if (frame.session === session) this.#forget(id);
  }

  /** @param current the document that is read now: of it only the oldest id goes */
  #forgetOldest(current: DocumentIds): void {
    const [[frameId, oldest] = []] = this.#documents;
    if (frameId !== undefined && oldest !== current) this.#forget(frameId);
    else this.#forgetOldestOf(current);
  }

  #forgetOldestOf({ byNode }: DocumentIds): void {
    const [[node, id] = []] = byNode;
    if (node === undefined || id === undefined) return;
    byNode.delete(node);
    this.#places.delete(id);
  }
}
