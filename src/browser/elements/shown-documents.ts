import { browserFailed } from '../failure.ts';
import type { Frame } from '../page/frames.ts';
import type { Page } from '../page/page.ts';
import type { DocumentIds } from './refs.ts';

/** Returns true while a frame of a page still shows a document. */
export function isShown(page: Page, frameId: string, document: DocumentIds): boolean {
  const now = page.frames.get(frameId);
  return now !== undefined && page.refs.documentOf(now) === document;
}

/**
 * Remembers the documents that a frame and those around it show now. Keys and clicks go to the document that is shown
 * when they arrive, so that they could reach another page.
 * @returns a function that throws a GatewayError if one of them has gone; it takes a clause that says what was not done
 */
export function shownDocuments(page: Page, inner: Frame): (notDone: string) => void {
  const documents: (readonly [string, DocumentIds])[] = [];
  for (let frame = page.frames.get(inner.id); frame !== undefined; frame = page.frames.get(frame.parentId ?? ''))
    documents.push([frame.id, page.refs.documentOf(frame)]);
  return (notDone) => {
    page.requireOpen();
    if (documents.length > 0 && documents.every(([id, document]) => isShown(page, id, document))) return;
    const message = `the page went to another address, so ${notDone}: look at the page again`;
    throw browserFailed(message, undefined, 'unknown');
  };
}
