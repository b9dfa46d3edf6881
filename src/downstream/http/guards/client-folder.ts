import type { IncomingMessage } from 'node:http';
import { asFolder } from '../../../core/providers/client-folder.ts';

const HEADER = 'x-viaduct-cwd';

/**
 * Returns the folder that a client says it works in: by the header `X-Viaduct-Cwd`, else by `?cwd=` in the address. Headers
 * carry ASCII only, so in both other letters are percent-encoded; bytes of UTF-8 as they are will do as well.
 */
export function folderOf({ headers, url = '' }: IncomingMessage): string | undefined {
  const header = headers[HEADER];
  if (typeof header === 'string') return asFolder(decoded(Buffer.from(header, 'latin1').toString('utf8')));
  const query = url.indexOf('?');
  return query === -1 ? undefined : asFolder(new URLSearchParams(url.slice(query + 1)).get('cwd'));
}

/** A percent sign that encodes nothing stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
