import type { Caller } from './provider.ts';

/** Returns the same caller with `changes` applied, for code that must see messages before they are passed on. */
export function callerWith(
  caller: Caller,
  changes: Partial<Pick<Caller, 'onReply' | 'onFailure' | 'onProgress'>>,
): Caller {
  return {
    sessionId: caller.sessionId,
    client: caller.client,
    onRoute: (provider, descriptor) => caller.onRoute?.(provider, descriptor),
    ask: (ask) => caller.ask(ask),
    onReply: (reply) => caller.onReply(reply),
    onFailure: (error) => caller.onFailure(error),
    onProgress: (frame, token) => caller.onProgress(frame, token),
    onNotification: (message) => caller.onNotification(message),
    whenRoom: () => caller.whenRoom?.(),
    ...changes,
  };
}
