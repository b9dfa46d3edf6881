import { randomUUID } from 'node:crypto';
import type { Protocol } from 'devtools-protocol/types/protocol.d.ts';
import type { DocumentIds } from '../elements/refs.ts';
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
  /** By the number that nodes give as their `element`. */
  readonly backendNodeIds: readonly number[];
}

export interface ReadingOptions {
  /** Only this part is read. */
  readonly root?: RemoteHandle | undefined;
  readonly limits: ReadingLimits;
  readonly signal: AbortSignal;
}

type ReadingArguments = [null, ReadingLimits, PageWords, string];
type DeepValue = Protocol.Runtime.DeepSerializedValue;
interface SerializedNode {
  readonly backendNodeId: number;
  readonly loaderId: string;
}

/** Elements whose ids the browser has told: it takes as long to tell one as to read ten. */
interface KnownElements {
  readonly token: string;
  /** By their numbers. */
  backendNodeIds: readonly number[];
}

const MAX_KNOWN = 100_000;
const knownOf = new WeakMap<DocumentIds, KnownElements>();

/**
 * Reads the document of a frame, or a part of it.
 * @param root an element of the frame
 * @throws CdpError if the frame has gone; GatewayError; the reason of `signal`
 */
export async function readFrame(page: Page, frame: Frame, options: ReadingOptions): Promise<DocumentReading> {
  const document = page.refs.documentOf(frame);
  const reading = await readKnowing(page, frame, { ...options, known: knownIn(document) });
  if (reading !== undefined) return reading;
  return (await readKnowing(page, frame, { ...options, known: forgetKnown(document) }))!;
}

function knownIn(document: DocumentIds): KnownElements {
  const known = knownOf.get(document);
  return known === undefined || known.backendNodeIds.length > MAX_KNOWN ? forgetKnown(document) : known;
}

function forgetKnown(document: DocumentIds): KnownElements {
  const known = { token: randomUUID(), backendNodeIds: [] };
  knownOf.set(document, known);
  return known;
}

/** Returns `undefined` if some numbers were given by a reading that did not end. */
async function readKnowing(
  page: Page,
  frame: Frame,
  { root, limits, signal, known }: ReadingOptions & { readonly known: KnownElements },
): Promise<DocumentReading | undefined> {
  const args = [root ?? null, limits, PAGE_WORDS, known.token] as ReadingArguments;
  const handle = await page.scripts.handle<ReadingArguments>(frame, readDocument, args, signal);
  const parts = await deepValues(handle!, signal).finally(() => page.scripts.release(handle!));
  const [text, document, ...elements] = parts.map(({ value }) => value as unknown);
  const { loaderId } = document as SerializedNode;
  const reading = JSON.parse(text as string) as PageReading;
  if (reading.firstNew > known.backendNodeIds.length) return undefined;
  const added = (elements as SerializedNode[]).map((element) => element.backendNodeId);
  known.backendNodeIds = [...known.backendNodeIds.slice(0, reading.firstNew), ...added];
  return { frame, loaderId, backendNodeIds: known.backendNodeIds, ...reading };
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
  return result.deepSerializedValue!.value as readonly DeepValue[];
}
