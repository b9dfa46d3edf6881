import { shownUrl } from '../../../core/addresses/shown-url.ts';
import { shellWord } from '../../../core/text/shell-word.ts';
import type { TransportManifest } from './manifest.ts';

export const http: TransportManifest = {
  type: 'http',
  otherSpellings: ['streamable-http'],
  spellingsOfAgents: /^(?:(?:streamable[-_]?)?http|remote)$/i,
  addresses: {
    url: {
      keys: ['headers', 'tls', 'auth'],
      protocols: ['http:', 'https:'],
      secure: ['https:'],
      carrier: 'HTTP',
      attempt: (url) => `curl -i ${shellWord(shownUrl(url))}`,
    },
  },
  repeatsArguments: true,
  row: { urls: ['http://…', 'https://…'], spoken: 'Streamable HTTP.' },
  load: async () => (await import('../http.ts')).http,
};
