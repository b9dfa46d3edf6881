import { randomUUID } from 'node:crypto';
import { StreamClient, type StreamClientOptions } from '../../downstream/stream-client.ts';
import { UnreadBudget } from '../../downstream/unread/unread-budget.ts';
import type { ExtraMethod } from '../../session/session-host.ts';
import type { Gateway } from '../gateway.ts';

/** A program of this user may open any folder by itself. */
const LOCAL = { folderRule: undefined };

interface StreamOptions extends Omit<StreamClientOptions, 'openSession' | 'openModern' | 'unread'> {
  /** The budget that all clients of the gateway share; absent if there is no other client. */
  readonly unread?: UnreadBudget;
  /** Methods for the command line; those of the gateway's control if absent. */
  readonly methods?: ReadonlyMap<string, ExtraMethod>;
  /** The client's first message is here. */
  readonly onArrival?: () => void;
}

/**
 * Returns a client on a pair of streams that only this user can hold. It may use the control methods too, unless it is bound to a
 * profile.
 */
export function serveStream(gateway: Gateway, options: StreamOptions, transport: string): StreamClient {
  return new StreamClient({
    ...options,
    unread: options.unread ?? new UnreadBudget(options.log),
    openSession: (arrival, output) => {
      options.onArrival?.();
      const extraMethods =
        arrival.profile === undefined ? (options.methods ?? gateway.control.methods) : gateway.control.profileMethods;
      return gateway.clients.openSession({ ...arrival, ...LOCAL, id: randomUUID(), transport, output, extraMethods });
    },
    openModern: (arrival) => {
      options.onArrival?.();
      return gateway.clients.openModern({ ...arrival, ...LOCAL, id: randomUUID(), transport, isOneProgram: true });
    },
  });
}
