import { shellWord } from '../../../core/text/shell-word.ts';
import type { TransportManifest } from './manifest.ts';

export const tcp: TransportManifest = {
  type: 'tcp',
  addresses: {
    url: {
      keys: [],
      protocols: ['tcp:'],
      check: (url) =>
        /^tcp:\/\/[^/?#]+:\d+\/?$/i.test(url)
          ? undefined
          : { message: 'a tcp url has a host and a port', hint: 'such as tcp://127.0.0.1:9100' },
      attempt(url) {
        const { hostname, port } = new URL(url);
        return `nc -vz ${shellWord(hostname.replace(/^\[(.*)\]$/, '$1'))} ${port}`;
      },
    },
  },
  row: {
    urls: ['tcp://host:port'],
    spoken: 'JSON-RPC in lines over TCP: `tcp://127.0.0.1:9100`, `tcp://[::1]:9100`.',
  },
  load: async () => (await import('../tcp.ts')).tcp,
};
