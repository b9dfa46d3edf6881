import type { DocumentIds } from '../elements/refs.ts';
import type { Frame } from '../page/frames.ts';
import type { Page } from '../page/page.ts';
import type { PageItem, ReadingLimits } from './page-item.ts';
import { type DocumentReading, type ReadingOptions, readFrame } from './read-frame.ts';

/** A frame that was read, and the frames in it. */
export interface FrameTree {
  readonly frame: Frame;
  /** The document that was read: ids must not be given if the frame shows another one by now. */
  readonly document: DocumentIds;
  readonly reading: DocumentReading;
  /** By the backend id of the element that holds a frame. */
  readonly frames: ReadonlyMap<number, InnerFrame>;
}

interface InnerFrame {
  readonly url: string;
  /** `undefined` if it did not answer, or too many came before it. */
  readonly tree: FrameTree | undefined;
}

/** Frames of one frame that are read. */
const MAX_FRAMES = 30;
const MAX_DEPTH = 5;
/** A frame that is busy for longer is left out: the rest of the page can still be used. */
const FRAME_MS = 3_000;

/** Reads a frame and those that are shown in it. @throws as `readFrame` */
export async function readFrameTree(page: Page, frame: Frame, options: ReadingOptions, depth = 0): Promise<FrameTree> {
  const document = page.refs.documentOf(frame);
  const reading = await readFrame(page, frame, options);
  const isLeaf = depth === MAX_DEPTH || !hasFrames(reading.items);
  const frames = isLeaf ? new Map<number, InnerFrame>() : await innerFrames(page, frame, options, depth + 1);
  return { frame, document, reading, frames };
}

async function innerFrames(
  page: Page,
  frame: Frame,
  { limits, signal }: ReadingOptions,
  depth: number,
): Promise<ReadonlyMap<number, InnerFrame>> {
  const inner = page.frames.list().filter(({ parentId }) => parentId === frame.id);
  const shown = inner.slice(0, MAX_FRAMES);
  const share = shareOf(limits, shown.length);
  const entries = shown.map(async (child): Promise<[number, InnerFrame]> => {
    const { backendNodeId } = await frame.session.send('DOM.getFrameOwner', { frameId: child.id }, signal);
    const limited = AbortSignal.any([signal, AbortSignal.timeout(FRAME_MS)]);
    const tree = await readFrameTree(page, child, { limits: share, signal: limited }, depth).catch(() => undefined);
    return [backendNodeId, { url: child.url, tree }];
  });
  const settled = await Promise.allSettled(entries);
  signal.throwIfAborted();
  // The others have been removed meanwhile.
  return new Map(settled.flatMap((entry) => (entry.status === 'fulfilled' ? [entry.value] : [])));
}

/** Many frames together are not larger than one page. */
function shareOf({ elements, characters, attributes, ...limits }: ReadingLimits, frames: number): ReadingLimits {
  const part = (whole: number) => Math.ceil(whole / Math.max(1, frames));
  return { ...limits, elements: part(elements), characters: part(characters), attributes: part(attributes) };
}

function hasFrames(items: readonly PageItem[]): boolean {
  return items.some((item) => typeof item === 'object' && (item.role === 'frame' || hasFrames(item.items ?? [])));
}
