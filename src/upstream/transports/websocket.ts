import type { RemoteEntry } from '../../core/settings/upstream-entry.ts';
import { defineTransport } from './transport.ts';
import { dial } from './websocket/web-socket-transport.ts';

/** A server that speaks JSON-RPC over WebSocket with the subprotocol `mcp`, one message a frame. */
export const websocket = defineTransport({
  open: (entry: RemoteEntry, events, context) => dial(entry, events, context),
});
