import { z } from 'zod';
import { MAX_NAME_LENGTH } from '../core/access/name-filter.ts';
import { readPorts } from '../core/addresses/port-list.ts';
import { parsePostgresUrl } from '../core/addresses/postgres-url.ts';
import { checkGlob } from '../core/glob/parse-glob.ts';
import { protocolOf, URL_PROTOCOLS } from './upstreams/entry-types.ts';

/** One message for everything that can be wrong with the number. */
export function wholeNumber(min: number, max: number) {
  const error = (issue: { readonly input?: unknown }): string | undefined =>
    issue.input === undefined ? undefined : `must be a whole number from ${min} to ${max}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
}

const glob = z
  .string()
  .min(1)
  .max(MAX_NAME_LENGTH, { error: `a glob has at most ${MAX_NAME_LENGTH} characters` })
  .superRefine(checkGlob);

/** A list of globs of names. */
export const globs = (byDefault: string[], description: string) =>
  z.array(glob).default(byDefault).describe(description);

/** Text that reaches a process: it cannot contain NUL. */
export const processText = z.string().regex(/^[^\0]*$/, { error: 'must not contain a NUL character' });

/**
 * `PORT: 8080` is written so often that scalars are taken as their text. The reader of the file turns them into
 * strings; this tells editors that they are fine.
 */
export const scalarText = processText.meta({ type: ['string', 'number', 'boolean'] });

const urlOf = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

/** In an entry that is disabled a variable may stay as it is: what becomes of it is looked at when it is enabled. */
const isKnownUrl = (text: string): boolean => text.includes('${') || URL_PROTOCOLS.includes(protocolOf(text));

const BEGINNINGS = URL_PROTOCOLS.map((protocol) => `${protocol}//`)
  .join(', ')
  .replace(/, ([^,]*)$/, ' or $1');

const hasUser = (text: string): boolean => `${urlOf(text)?.username ?? ''}${urlOf(text)?.password ?? ''}` !== '';

export const upstreamUrl = z
  .string()
  .refine(isKnownUrl, { error: `must be a url that begins with ${BEGINNINGS}` })
  .refine((text) => !hasUser(text), {
    error: 'must not have a user or password in it',
    params: { hint: `put them into a header: headers: { Authorization: "Basic \${CREDENTIALS}" }` },
  });

export const portList = z
  .union([z.string(), z.int(), z.array(z.int())], { error: 'must be a port, a list of ports, or a range' })
  .refine((list) => readPorts(list) !== undefined, {
    error: 'must be ports from 1 to 65535, at most 200 of them',
    params: { hint: 'a range "9960-9990", a list [9960, 9961], or one port' },
  });

const isDatabaseUrl = (text: string): boolean => parsePostgresUrl(text) !== undefined;

export const databaseUrl = z
  .string()
  .refine((text) => /^postgres(?:ql)?:\/\//i.test(text), {
    error: 'must be a url that begins with postgres://',
    params: { hint: 'leave it out for SQLite in $VIADUCT_HOME' },
    abort: true,
  })
  .refine(isDatabaseUrl, {
    error: 'is no url of a PostgreSQL database',
    params: {
      hint: 'write postgres://USER:PASSWORD@HOST:PORT/DATABASE, with "/" and "?" in the password as %2F and %3F',
    },
  });

/** Headers that say what a request is, or how it is sent. */
const OWN_HEADERS =
  /^(?:accept|accept-encoding|connection|content-encoding|content-length|content-type|expect|host|keep-alive|last-event-id|mcp-.*|sec-websocket-.*|te|trailer|transfer-encoding|upgrade)$/i;

export const headerName = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, { error: 'not a name that a header can have' })
  .refine((name) => !OWN_HEADERS.test(name), { error: 'this header is set by Viaduct itself' });

export const headerText = z
  .string()
  .regex(/^[\t\x20-\x7e]*$/, { error: 'must have printable ASCII characters only' })
  .meta({ type: ['string', 'number', 'boolean'] });
