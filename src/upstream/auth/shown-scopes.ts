import { cleanText, cutText } from '../../core/text/clean-text.ts';

/** A challenge may be as long as a server's headers. */
const SHOWN = 300;

/** Returns the words for the scopes that a server wants, in its challenge of a request (RFC 6750, section 3). */
export function shownScopes(scope: string | undefined): string {
  return scope === undefined ? 'wider scopes' : `the scopes "${cutText(cleanText(scope), SHOWN)}"`;
}
