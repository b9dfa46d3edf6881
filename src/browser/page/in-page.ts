import type { Protocol } from 'devtools-protocol/types/protocol.d.ts';
import { unlessAborted } from '../../core/timing/unless-aborted.ts';
import { browserFailed } from '../failure.ts';
import { type Frame, type Frames, isStale } from './frames.ts';

/** An object of a page that our scripts hold; it is released with its document. */
export interface RemoteHandle {
  readonly frame: Frame;
  readonly objectId: string;
  /** Name of the group with which it is released. */
  readonly group: string;
}

interface RunOptions {
  /** `undefined` for a result by value. */
  readonly group: string | undefined;
  readonly signal: AbortSignal | undefined;
}

type PageFunction<Args extends readonly unknown[], Result> = (...args: Args) => Result;
type Arguments<Args extends readonly unknown[]> = {
  readonly [K in keyof Args]: Args[K] extends Element | Node ? RemoteHandle : Args[K] | RemoteHandle;
};

/**
 * Runs functions of `src/browser/injected` in frames, in a world of their own, where pages have no influence on the language's
 * built-in objects. A function must be self-contained: it is sent as text, so it sees its arguments and the page, nothing else.
 */
export class InPage {
  readonly #frames: Frames;
  #lastGroup = 0;

  constructor(frames: Frames) {
    this.#frames = frames;
  }

  /**
   * Calls a function and returns its result, which must be JSON.
   * @param args JSON values, or handles of objects of the same frame
   * @throws GatewayError if the function throws; CdpError; the reason of `signal`
   */
  async call<Args extends readonly unknown[], Result>(
    frame: Frame,
    work: PageFunction<Args, Result>,
    args: Arguments<Args>,
    signal?: AbortSignal,
  ): Promise<Awaited<Result>> {
    const { value } = await this.#run(frame, work, args, { group: undefined, signal });
    return value as Awaited<Result>;
  }

  /** Calls a function that returns an object of the page, or `null`. `release` gives it back. @throws as `call` */
  async handle<Args extends readonly unknown[]>(
    frame: Frame,
    work: PageFunction<Args, object | null>,
    args: Arguments<Args>,
    signal?: AbortSignal,
  ): Promise<RemoteHandle | undefined> {
    const group = this.#newGroup();
    const { objectId } = await this.#run(frame, work, args, { group, signal });
    return objectId === undefined ? undefined : { frame, objectId, group };
  }

  /** Returns the items of an array, which are objects; they are released with the array. @throws CdpError; the reason of `signal` */
  async items({ frame, objectId, group }: RemoteHandle, signal: AbortSignal): Promise<readonly RemoteHandle[]> {
    const params = { objectId, ownProperties: true };
    const { result } = await frame.session.send('Runtime.getProperties', params, signal);
    return result.flatMap(({ value }) =>
      value?.objectId === undefined ? [] : { frame, objectId: value.objectId, group },
    );
  }

  /** Returns a node as our scripts see it; `release` gives it back. @throws CdpError; the reason of `signal` */
  async resolve(frame: Frame, backendNodeId: number, signal: AbortSignal): Promise<RemoteHandle> {
    const group = this.#newGroup();
    const executionContextId = await unlessAborted(this.#frames.world(frame), signal);
    const params = { backendNodeId, executionContextId, objectGroup: group };
    const { object } = await frame.session.send('DOM.resolveNode', params, signal);
    return { frame, objectId: object.objectId!, group };
  }

  /** Gives back an object, and what was got from it, so that the page can forget it. */
  release({ frame, group }: RemoteHandle): void {
    // It may have gone with its document.
    frame.session.send('Runtime.releaseObjectGroup', { objectGroup: group }).catch(() => undefined);
  }

  /** Gives back several objects. */
  releaseAll(handles: readonly RemoteHandle[]): void {
    for (const handle of new Map(handles.map((one) => [one.group, one])).values()) this.release(handle);
  }

  #newGroup(): string {
    return `viaduct-${++this.#lastGroup}`;
  }

  async #run(
    frame: Frame,
    work: unknown,
    args: readonly unknown[],
    { group, signal }: RunOptions,
  ): Promise<Protocol.Runtime.RemoteObject> {
    try {
      return await this.#runOnce(frame, work, args, { group, signal });
    } catch (error) {
      const current = this.#frames.get(frame.id);
      // Handles are of the document that has gone.
      if (!isStale(error) || current === undefined || args.some(isHandle)) throw error;
      return this.#runOnce(current, work, args, { group, signal });
    }
  }

  async #runOnce(
    frame: Frame,
    work: unknown,
    args: readonly unknown[],
    { group, signal }: RunOptions,
  ): Promise<Protocol.Runtime.RemoteObject> {
    const world = this.#frames.world(frame);
    const params = {
      functionDeclaration: asFunctionText(work),
      executionContextId: await (signal === undefined ? world : unlessAborted(world, signal)),
      arguments: args.map((value) => (isHandle(value) ? { objectId: value.objectId } : { value })),
      ...(group === undefined ? { returnByValue: true } : { objectGroup: group }),
      awaitPromise: true,
    };
    const { result, exceptionDetails } = await frame.session.send('Runtime.callFunctionOn', params, signal);
    if (exceptionDetails !== undefined) throw browserFailed(messageOf(exceptionDetails));
    return result;
  }
}

/** Returns a self-contained function as text for the browser. The tools that run TypeScript directly wrap inner functions in `__name`, which pages do not have. */
export function asFunctionText(work: unknown): string {
  return `function (...args) { const __name = (work) => work; return (${String(work)})(...args); }`;
}

function isHandle(value: unknown): value is RemoteHandle {
  return typeof value === 'object' && value !== null && 'objectId' in value && 'frame' in value;
}

/** Returns the first line of an exception, without the name of its class. */
function messageOf({ exception, text }: Protocol.Runtime.ExceptionDetails): string {
  const [line = text] = (exception?.description ?? text).split('\n');
  return line.replace(/^(?:Error|DOMException): /, '');
}
