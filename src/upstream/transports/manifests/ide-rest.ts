import { shownUrl } from '../../../core/addresses/shown-url.ts';
import { shellWord } from '../../../core/text/shell-word.ts';
import type { TransportManifest } from './manifest.ts';

export const ideRest: TransportManifest = {
  type: 'ide-rest',
  addresses: {
    url: {
      keys: ['headers', 'tls', 'auth'],
      protocols: ['http:', 'https:'],
      secure: ['https:'],
      carrier: 'HTTP',
      attempt: (url) => `curl -i ${shellWord(shownUrl(url))}`,
    },
    ports: {
      keys: ['workspace'],
      advice: 'open its folder in the IDE, and check that the plug-in is enabled there',
    },
  },
  row: { urls: ['http://…', 'https://…'], spoken: "A path for each tool of an IDE's plug-in, see below." },
  load: async () => (await import('../ide-rest.ts')).ideRest,
};
