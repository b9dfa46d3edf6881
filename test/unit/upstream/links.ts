import { createLog } from '../../../src/telemetry/log.ts';
import { Link, type LinkOptions } from '../../../src/upstream/connection/link.ts';
import type { LinkEvents } from '../../../src/upstream/connection/link-receiver.ts';
import { PeerFaults } from '../../../src/upstream/connection/peer-faults.ts';
import type { Transport } from '../../../src/upstream/transports/transport.ts';

/** Returns a link over a transport that a test makes. Events that it does not give are not heard. */
export function linkTo(
  transport: Partial<Transport>,
  events: Partial<LinkEvents> = {},
  others: Partial<Pick<LinkOptions, 'faults' | 'onHung'>> = {},
): Link {
  return new Link({
    upstream: 'up',
    transport: { pid: undefined, queuedBytes: 0, send: () => undefined, close: async () => undefined, ...transport },
    events: {
      onAsk: () => undefined,
      onAskCancelled: () => undefined,
      onNotification: () => undefined,
      onLateProgress: () => false,
      ...events,
    },
    faults: new PeerFaults(createLog({ level: 'silent' }), (text) => text),
    onHung: () => undefined,
    ...others,
  });
}
