import type { Protocol } from 'devtools-protocol/types/protocol.d.ts';
import { CdpError } from '../cdp/cdp-error.ts';
import type { CdpSession } from '../cdp/cdp-session.ts';
import { browserFailed } from '../failure.ts';
import { boundedText } from './page-text.ts';
import type { TargetFollower, TargetKind } from './targets.ts';

/** A frame of a page; the page itself is the one without a parent. */
export interface Frame {
  readonly id: string;
  readonly parentId: string | undefined;
  /** The target that the frame is drawn by. A frame of another site has one of its own. */
  readonly session: CdpSession;
  readonly url: string;
}

/** Returns a frame's url, cut: it is only shown, and can be as long as the data in it. */
const shownUrl = (url: string) => boundedText(url, 2_000);

/** The name of the world of our scripts: pages cannot change what these see. */
const WORLD = 'viaduct';

/** Knows the frames of a page, in the order in which they were added, parents before their children. */
export class Frames implements TargetFollower {
  readonly #frames = new Map<string, Frame>();
  /** Execution contexts of our scripts, by the id of the frame. */
  readonly #worlds = new Map<string, Promise<number>>();

  /** Frames of this page, the page itself first. */
  list(): readonly Frame[] {
    return [...this.#frames.values()];
  }

  /** The frame that is the page itself. @throws GatewayError if there is none any more */
  get main(): Frame {
    const [main] = this.#frames.values();
    if (main === undefined) throw browserFailed('The page has no content: use webview_navigate');
    return main;
  }

  get(id: string): Frame | undefined {
    return this.#frames.get(id);
  }

  async follow(session: CdpSession, kind: TargetKind): Promise<void> {
    if (kind === 'other') return;
    session.on('Page.frameAttached', ({ frameId, parentFrameId }) =>
      this.#add(session, { id: frameId, parentId: parentFrameId, url: '' }),
    );
    session.on('Page.frameNavigated', ({ frame }) => this.#onNavigated(session, frame));
    session.on('Page.navigatedWithinDocument', ({ frameId, url }) => this.#move(frameId, url));
    session.on('Page.frameDetached', ({ frameId, reason }) => reason === 'remove' && this.#remove(frameId));
    session.on('Runtime.executionContextsCleared', () => this.#forgetWorldsOf(session));
    const [, tree] = await Promise.all([
      session.send('Page.enable'),
      session.send('Page.getFrameTree'),
      session.send('Runtime.enable'),
    ]);
    this.#addTree(session, tree.frameTree);
  }

  /**
   * Returns the id of the execution context in which our scripts run in a frame.
   * @throws CdpError if the frame has gone
   */
  world(frame: Frame): Promise<number> {
    const known = this.#worlds.get(frame.id);
    if (known !== undefined) return known;
    const params = { frameId: frame.id, worldName: WORLD };
    const made = frame.session
      .send('Page.createIsolatedWorld', params)
      .then(({ executionContextId }) => executionContextId);
    this.#worlds.set(frame.id, made);
    made.catch(() => this.#forgetWorld(frame.id, made));
    return made;
  }

  #add(session: CdpSession, { id, parentId, url }: Pick<Protocol.Page.Frame, 'id' | 'parentId' | 'url'>): void {
    const known = this.#frames.get(id);
    // A frame that goes to another site is told of by its old target, too.
    if (known !== undefined && known.session !== session && !known.session.ended.aborted && url === '') return;
    this.#worlds.delete(id);
    const parent = parentId ?? known?.parentId;
    this.#frames.set(id, { id, parentId: parent, session, url: parent === undefined ? url : shownUrl(url) });
  }

  /** The frames of the old document have gone; those of other sites are not always told of. */
  #onNavigated(session: CdpSession, frame: Protocol.Page.Frame): void {
    for (const { id, parentId } of this.list()) if (parentId === frame.id) this.#remove(id);
    this.#add(session, frame);
  }

  #addTree(session: CdpSession, { frame, childFrames = [] }: Protocol.Page.FrameTree): void {
    this.#add(session, frame);
    for (const child of childFrames) this.#addTree(session, child);
  }

  #move(id: string, url: string): void {
    const frame = this.#frames.get(id);
    if (frame !== undefined)
      this.#frames.set(id, { ...frame, url: frame.parentId === undefined ? url : shownUrl(url) });
  }

  #remove(id: string): void {
    this.#frames.delete(id);
    this.#worlds.delete(id);
    for (const { id: child, parentId } of this.list()) if (parentId === id) this.#remove(child);
  }

  #forgetWorldsOf(session: CdpSession): void {
    for (const frame of this.list()) if (frame.session === session) this.#worlds.delete(frame.id);
  }

  #forgetWorld(id: string, made: Promise<number>): void {
    if (this.#worlds.get(id) === made) this.#worlds.delete(id);
  }
}

/** Returns whether a command failed because the document has changed meanwhile, so that it can be tried once more. */
export function isStale(error: unknown): boolean {
  return error instanceof CdpError && !error.isGone && STALE.some((words) => error.message.includes(words));
}

const STALE = [
  'Cannot find context',
  'Execution context was destroyed',
  'Inspected target navigated',
  'No frame with given id',
  'No frame for given id',
  'Session with given id not found',
];
