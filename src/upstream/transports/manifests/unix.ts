import { shellWord } from '../../../core/text/shell-word.ts';
import type { TransportManifest } from './manifest.ts';

export const unix: TransportManifest = {
  type: 'unix',
  addresses: {
    url: {
      keys: [],
      protocols: ['unix:'],
      check: (url) =>
        /^unix:\/*$/i.test(url)
          ? { message: 'a unix url has the path of a socket', hint: 'such as unix:///run/server.sock' }
          : undefined,
      // The path stays as it is written: characters that mean something in a url may be part of a file name.
      complete: (url, absolute) => `unix://${absolute(url.replace(/^unix:(?:\/\/)?/i, ''))}`,
      attempt: (url) => `nc -vzU ${shellWord(url.slice('unix://'.length))}`,
    },
  },
  row: {
    urls: ['unix:///run/server.sock'],
    spoken:
      'JSON-RPC in lines over a Unix socket. `unix://~/…` is in your home folder, `unix://run/…` is relative to the folder of this file.',
  },
  load: async () => (await import('../unix.ts')).unix,
};
