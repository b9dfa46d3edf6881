import { z } from 'zod';
import { protocolOf, type TransportTable } from '../../upstream/transports/manifests/transport-table.ts';

const urlOf = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

const hasUser = (text: string): boolean => `${urlOf(text)?.username ?? ''}${urlOf(text)?.password ?? ''}` !== '';

/** Returns the schema of the url of an upstream. */
export function upstreamUrl({ protocols }: TransportTable) {
  const beginnings = protocols
    .map((protocol) => `${protocol}//`)
    .join(', ')
    .replace(/, ([^,]*)$/, ' or $1');
  // In an entry that is disabled, a variable may be unset. The url is checked when the entry is enabled.
  const isKnown = (text: string): boolean => text.includes('${') || protocols.includes(protocolOf(text));
  return z
    .string()
    .refine(isKnown, { error: `must be a url that begins with ${beginnings}` })
    .refine((text) => !hasUser(text), {
      error: 'must not have a user or password in it',
      params: { hint: `put them into a header: headers: { Authorization: "Basic \${CREDENTIALS}" }` },
    });
}
