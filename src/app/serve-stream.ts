import { randomUUID } from 'node:crypto';
import { StreamClient } from '../downstream/stream-client.ts';
import { UnreadBudget } from '../downstream/unread/unread-budget.ts';
import type { Gateway } from './gateway.ts';

type Options = Omit<ConstructorParameters<typeof StreamClient>[0], 'openSession' | 'openModern' | 'unread'>;

/** `unread` is what all clients of the gateway share; absent where there is no other client. */
interface StreamOptions extends Options {
  readonly unread?: UnreadBudget;
}

/**
 * A client on a pair of streams that only this user can hold. It may use the control methods too, unless it is bound to a
 * profile.
 */
export function serveStream(gateway: Gateway, options: StreamOptions, transport: string): StreamClient {
  return new StreamClient({
    ...options,
    unread: options.unread ?? new UnreadBudget(options.log),
    openSession: (arrival, output) => {
      const extraMethods = arrival.profile === undefined ? gateway.controlMethods : gateway.profileMethods;
      return gateway.openSession({ ...arrival, id: randomUUID(), transport, output, extraMethods });
    },
    openModern: (arrival) => gateway.openModernClient({ ...arrival, id: randomUUID(), transport, isOneProgram: true }),
  });
}
