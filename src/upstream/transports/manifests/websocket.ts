import { shownUrl } from '../../../core/addresses/shown-url.ts';
import { shellWord } from '../../../core/text/shell-word.ts';
import type { TransportManifest } from './manifest.ts';

export const websocket: TransportManifest = {
  type: 'websocket',
  otherSpellings: ['ws'],
  addresses: {
    url: {
      keys: ['headers', 'tls', 'auth'],
      protocols: ['ws:', 'wss:'],
      secure: ['wss:'],
      carrier: 'WebSocket',
      // The server refuses a request that does not ask for a WebSocket, but it answers.
      attempt: (url) => `curl -i ${shellWord(shownUrl(url).replace(/^ws/, 'http'))}`,
    },
  },
  row: { urls: ['ws://…', 'wss://…'], spoken: 'WebSocket with the subprotocol `mcp`, one message a frame.' },
  load: async () => (await import('../websocket.ts')).websocket,
};
