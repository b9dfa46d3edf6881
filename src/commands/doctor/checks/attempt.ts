import { shownUrl } from '../../../core/addresses/shown-url.ts';
import type { RemoteEntry } from '../../../core/settings/upstream-entry.ts';

/** A command that reaches for the server in the most plain way there is. */
export function attemptOf({ type, url }: RemoteEntry): string {
  const shown = shownUrl(url);
  switch (type) {
    case 'http':
    case 'ide-rest':
      return `curl -i ${shown}`;
    case 'sse':
      return `curl -iN ${shown}`;
    case 'websocket':
      // It refuses whoever does not want a WebSocket, but it answers.
      return `curl -i ${shown.replace(/^ws/, 'http')}`;
    case 'tcp': {
      const { hostname, port } = new URL(url);
      return `nc -vz ${hostname.replace(/^\[(.*)\]$/, '$1')} ${port}`;
    }
    case 'unix':
      return `nc -vzU ${wordOf(url.slice('unix://'.length))}`;
  }
}

/** A word as a shell takes it. */
export const wordOf = (word: string): string => (/^[\w./:@=+-]+$/.test(word) ? word : JSON.stringify(word));
