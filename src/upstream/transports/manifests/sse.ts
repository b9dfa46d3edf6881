import { shownUrl } from '../../../core/addresses/shown-url.ts';
import { shellWord } from '../../../core/text/shell-word.ts';
import type { TransportManifest } from './manifest.ts';

export const sse: TransportManifest = {
  type: 'sse',
  addresses: {
    url: {
      keys: ['headers', 'tls', 'auth'],
      protocols: ['http:', 'https:'],
      secure: ['https:'],
      carrier: 'HTTP',
      attempt: (url) => `curl -iN ${shellWord(shownUrl(url))}`,
    },
  },
  row: {
    urls: ['http://…', 'https://…'],
    spoken: 'HTTP with server-sent events, the transport of revision 2024-11-05.',
  },
  load: async () => (await import('../sse.ts')).sse,
};
