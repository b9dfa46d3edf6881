import { unlessAborted } from '../../core/timing/unless-aborted.ts';
import { findElement, findElements } from '../elements/find-element.ts';
import { type BoxMapping, boxMapping } from '../elements/frame-offset.ts';
import { type Box, describeElements, type ElementFacts } from '../injected/describe-elements.ts';
import type { Frame } from '../page/frames.ts';
import type { RemoteHandle } from '../page/in-page.ts';
import type { Page } from '../page/page.ts';
import { usePage } from '../page/use-page.ts';

/** An element as `webview_query` returns it (seed 001, WebviewElement). */
export interface ElementAnswer {
  /** `backendNodeId` of the DevTools protocol. */
  readonly nodeId: number;
  /** Upper case for HTML: `BUTTON`. */
  readonly tagName: string;
  /** A value ends with `…` after 1,000 characters; that of a password is `(hidden)`. */
  readonly attributes: Readonly<Record<string, string>>;
  /** In the viewport of the page, in CSS pixels. Missing for an element that is not displayed. */
  readonly boundingBox?: Box;
}

export interface QueryAnswer {
  readonly found: boolean;
  /** Number of elements that are returned. */
  readonly count: number;
  readonly elements: readonly ElementAnswer[];
}

export const MAX_ELEMENTS = 1_000;

/**
 * Describes the elements that a selector matches, in the order of `findElement`.
 * @param selector a CSS selector, or the id of an element in a snapshot
 * @param all false: the first only; true: at most 1,000
 * @throws GatewayError if the selector is invalid; the reason of `signal`
 */
export async function query(page: Page, selector: string, all: boolean, signal: AbortSignal): Promise<QueryAnswer> {
  return usePage(page, async () => {
    const handles = await find(page, selector, all, signal);
    try {
      const elements = await Promise.all(byFrame(handles).map((group) => describe(page, group, signal)));
      return { found: handles.length > 0, count: handles.length, elements: elements.flat() };
    } finally {
      page.scripts.releaseAll(handles);
    }
  });
}

async function find(page: Page, selector: string, all: boolean, signal: AbortSignal): Promise<readonly RemoteHandle[]> {
  if (all) return findElements(page, selector, MAX_ELEMENTS, signal);
  const found = await findElement(page, selector, signal);
  return found === undefined ? [] : [found];
}

function byFrame(handles: readonly RemoteHandle[]): readonly RemoteHandle[][] {
  const groups = new Map<Frame, RemoteHandle[]>();
  for (const handle of handles) {
    const group = groups.get(handle.frame) ?? [];
    group.push(handle);
    groups.set(handle.frame, group);
  }
  return [...groups.values()];
}

/** @param handles at least one, all of the same frame */
async function describe(page: Page, handles: readonly RemoteHandle[], signal: AbortSignal): Promise<ElementAnswer[]> {
  const { frame } = handles[0]!;
  const [mapping, facts, nodeIds] = await Promise.all([
    boxMapping(page, frame, signal),
    page.scripts.call(frame, describeElements, [...handles] as RemoteHandle[], signal),
    unlessAborted(Promise.all(handles.map(nodeIdOf)), signal),
  ]);
  return nodeIds.map((nodeId, index) => answerFor(nodeId, facts[index]!, mapping));
}

async function nodeIdOf({ frame, objectId }: RemoteHandle): Promise<number> {
  const { node } = await frame.session.send('DOM.describeNode', { objectId });
  return node.backendNodeId;
}

function answerFor(nodeId: number, { tagName, attributes, box }: ElementFacts, mapping: BoxMapping): ElementAnswer {
  return {
    nodeId,
    tagName,
    attributes: Object.fromEntries(attributes),
    ...(box === undefined ? {} : { boundingBox: mapping(box) }),
  };
}
