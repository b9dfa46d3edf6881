import type { Protocol } from 'devtools-protocol/types/protocol.d.ts';
import { readDocument } from '../injected/read-document.ts';
import type { Frame } from '../page/frames.ts';
import type { RemoteHandle } from '../page/in-page.ts';
import type { Page } from '../page/page.ts';
import type { PageReading, ReadingLimits } from './page-item.ts';
import { PAGE_WORDS, type PageWords } from './page-words.ts';

/** A document as it was read. */
export interface DocumentReading extends PageReading {
  readonly frame: Frame;
  /** Tells documents of a frame apart. */
  readonly loaderId: string;
  /** By the index that nodes give as their `element`. */
  readonly backendNodeIds: readonly number[];
}

export interface ReadingOptions {
  /** Only this part is read. */
  readonly root?: RemoteHandle | undefined;
  readonly limits: ReadingLimits;
  readonly signal: AbortSignal;
}

type DeepValue = Protocol.Runtime.DeepSerializedValue;
interface SerializedNode {
  readonly backendNodeId: number;
  readonly loaderId: string;
}

/**
 * Reads the document of a frame, or a part of it.
 * @param root an element of the frame
 * @throws CdpError if the frame has gone; GatewayError; the reason of `signal`
 */
export async function readFrame(
  page: Page,
  frame: Frame,
  { root, limits, signal }: ReadingOptions,
): Promise<DocumentReading> {
  const args = [root ?? null, limits, PAGE_WORDS] as [null, ReadingLimits, PageWords];
  const handle = await page.scripts.handle<[null, ReadingLimits, PageWords]>(frame, readDocument, args, signal);
  const parts = await deepValues(handle!, signal);
  const [text, document, ...elements] = parts.map(({ value }) => value as unknown);
  const { loaderId } = document as SerializedNode;
  const backendNodeIds = (elements as SerializedNode[]).map((element) => element.backendNodeId);
  return { frame, loaderId, backendNodeIds, ...(JSON.parse(text as string) as PageReading) };
}

/** Returns the members of an array in a page, with the ids of those that are elements. */
async function deepValues({ frame, objectId }: RemoteHandle, signal: AbortSignal): Promise<readonly DeepValue[]> {
  const params = {
    objectId,
    functionDeclaration: 'function () { return this; }',
    serializationOptions: {
      serialization: 'deep',
      maxDepth: 1,
      additionalParameters: { maxNodeDepth: 0, includeShadowTree: 'none' },
    } as const,
  };
  const { result } = await frame.session.send('Runtime.callFunctionOn', params, signal);
  // Nothing depends on it: what is not released goes with the document.
  frame.session.send('Runtime.releaseObject', { objectId }).catch(() => undefined);
  return result.deepSerializedValue!.value as readonly DeepValue[];
}
