import { isShown } from '../elements/shown-documents.ts';
import { browserFailed } from '../failure.ts';
import { isStale } from '../page/frames.ts';
import type { Page } from '../page/page.ts';
import { type FrameTree, readFrameTree } from './frame-tree.ts';
import type { PageItem, PageNode } from './page-item.ts';
import type { ReadingOptions } from './read-frame.ts';
import type { ShownItem, ShownNode } from './shown-item.ts';

/** A page with all its frames in their places. */
export interface WholePage {
  readonly title: string;
  readonly url: string;
  /** Another one after each navigation. */
  readonly documentId: string;
  readonly items: readonly ShownItem[];
  /** True if it is larger than what is read of a page. */
  readonly isCut: boolean;
}

const MAX_TRIES = 3;

/**
 * Reads a page with its frames.
 * @throws CdpError if the page has gone, GatewayError, the reason of `signal`
 */
export async function readPage(page: Page, options: ReadingOptions): Promise<WholePage> {
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const whole = await readOnce(page, options);
    if (whole !== undefined) return whole;
    if (options.root !== undefined) break;
  }
  throw browserFailed('The page was replaced by another one while it was read: use webview_snapshot again');
}

/** Returns `undefined` if the document has been replaced meanwhile: the ids of its elements would be those of others. */
async function readOnce(page: Page, { root, limits, signal }: ReadingOptions): Promise<WholePage | undefined> {
  try {
    const frame = root?.frame ?? page.frames.main;
    const tree = await readFrameTree(page, frame, { root, limits, signal });
    if (!isShown(page, frame.id, tree.document)) return undefined;
    const { title, url, loaderId } = tree.reading;
    return { title, url, documentId: loaderId, ...shownTree(page, tree) };
  } catch (error) {
    if (isStale(error)) return undefined;
    throw error;
  }
}

function shownTree(page: Page, tree: FrameTree): Pick<WholePage, 'items' | 'isCut'> {
  let { isCut } = tree.reading;
  const current = page.frames.get(tree.frame.id) ?? tree.frame;
  const backendIdOf = (element: number | undefined) =>
    element === undefined ? undefined : tree.reading.backendNodeIds[element];
  const shownFrame = (node: PageNode): ShownNode => {
    const frame = tree.frames.get(backendIdOf(node.element) ?? -1);
    const inner = frame?.tree;
    const name = node.name || inner?.reading.url || frame?.url || 'about:blank';
    if (inner === undefined || !isShown(page, inner.frame.id, inner.document))
      return { role: 'frame', name, remark: 'could not be read' };
    const shown = shownTree(page, inner);
    isCut ||= shown.isCut;
    return { role: 'frame', name, items: shown.items };
  };
  const shownNode = (whole: PageNode): ShownNode => {
    if (whole.role === 'frame') return shownFrame(whole);
    const { element, items, ...node } = whole;
    const backendId = backendIdOf(element);
    return {
      ...node,
      ...(backendId === undefined ? {} : { id: page.refs.idOf(current, backendId) }),
      ...(items === undefined ? {} : { items: items.map(shownItem) }),
    };
  };
  const shownItem = (item: PageItem): ShownItem => (typeof item === 'object' ? shownNode(item) : item);
  const items = tree.reading.items.map(shownItem);
  return { items, isCut };
}
