import type { Log } from '../../../telemetry/log.ts';
import { Incoming } from '../incoming.ts';
import type { FrameLimit, TransportContext, TransportEvents } from '../transport.ts';
import type { HttpEndpoint } from './endpoint.ts';
import type { HttpPeer } from './peer.ts';
import { HttpSession } from './session.ts';

/**
 * Reports everything that a server sends on all streams of one connection, and holds the parts that the connection's
 * requests share.
 */
export class HttpIncoming extends Incoming implements HttpPeer {
  readonly endpoint: HttpEndpoint;
  readonly session = new HttpSession();
  readonly log: Log;
  readonly #limits: FrameLimit;

  constructor(
    endpoint: HttpEndpoint,
    events: TransportEvents,
    context: Pick<TransportContext, 'log' | 'maxFrameBytes'>,
  ) {
    super(events);
    this.endpoint = endpoint;
    this.log = context.log;
    this.#limits = context;
  }

  get maxFrameBytes(): number {
    return this.#limits.maxFrameBytes;
  }
}
