import { browserFailed } from '../failure.ts';
import type { Frame } from '../page/frames.ts';
import type { RemoteHandle } from '../page/in-page.ts';
import type { Page } from '../page/page.ts';

/**
 * Returns the element that holds a frame, such as its `iframe`, in the document of the parent.
 * @throws GatewayError if the frame has gone; CdpError; the reason of `signal`
 */
export async function frameElement(page: Page, frame: Frame, signal: AbortSignal): Promise<RemoteHandle> {
  const parent = frame.parentId === undefined ? undefined : page.frames.get(frame.parentId);
  if (parent === undefined) throw browserFailed('The frame of the element has gone: look at the page again');
  const { backendNodeId } = await parent.session.send('DOM.getFrameOwner', { frameId: frame.id }, signal);
  return page.scripts.resolve(parent, backendNodeId, signal);
}
