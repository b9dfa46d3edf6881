import type { RemoteEntry } from '../../core/upstream-entry.ts';
import { defineTransport, ImpossibleError } from './transport.ts';

/** A server that speaks JSON-RPC over WebSocket with the subprotocol `mcp`, one message a frame. */
export const websocket = defineTransport({
  async open(entry: RemoteEntry, events, context) {
    if (!URL.canParse(entry.url)) throw new ImpossibleError('its url is none');
    // Only those who need it pay for loading it.
    const { dial } = await import('./websocket/web-socket-transport.ts');
    return dial(entry, events, context);
  },
});
