import { z } from 'zod';
import { MAX_NAME_LENGTH } from '../core/access/name-filter.ts';
import { readPorts } from '../core/addresses/port-list.ts';
import { checkGlob } from '../core/glob/parse-glob.ts';
import type { EngineTable } from '../store/database/engines/engine-table.ts';

/** Returns the schema of a whole number, with one message for everything that can be wrong with it. */
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

/** Returns the schema of a list of globs of names. */
export const globs = (byDefault: string[]) => z.array(glob).default(byDefault);

/** Text that is passed to a process: it cannot contain NUL. */
export const processText = z.string().regex(/^[^\0]*$/, { error: 'must not contain a NUL character' });

/**
 * Text that may be written without quotes though it looks like a number or a switch, as `PORT: 8080` often is. The reader of
 * the file turns such values into strings; the metadata tells editors that they are valid.
 */
export const scalarText = processText.meta({ type: ['string', 'number', 'boolean'] });

/** Ports on which a server is looked for. */
export const portList = z
  .union([z.string(), z.int(), z.array(z.int())], { error: 'must be a port, a list of ports, or a range' })
  .refine((list) => readPorts(list) !== undefined, {
    error: 'must be ports from 1 to 65535, at most 200 of them',
    params: { hint: 'a range "9960-9990", a list [9960, 9961], or one port' },
  });

/** Returns the schema of the url of a database. */
export function databaseUrl(engines: EngineTable) {
  return z
    .string()
    .refine((text) => engines.forUrl(text) !== undefined, {
      error: `must be a url that begins with ${engines.beginnings.join(' or ')}`,
      params: { hint: `leave it out for ${engines.byDefault.name} in $VIADUCT_HOME` },
      abort: true,
    })
    .superRefine((text, context) => {
      const { name, urls } = engines.forUrl(text) ?? {};
      if (urls === undefined || urls.isValid(text)) return;
      context.addIssue({ code: 'custom', message: `is not a url of a ${name} database`, params: { hint: urls.hint } });
    });
}

/** Headers that describe a request or how it is sent. */
const OWN_HEADERS =
  /^(?:accept|accept-encoding|connection|content-encoding|content-length|content-type|expect|host|keep-alive|last-event-id|mcp-.*|sec-websocket-.*|te|trailer|transfer-encoding|upgrade)$/i;

/** The name of a header that an upstream may get. */
export const headerName = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, { error: 'not a name that a header can have' })
  .refine((name) => !OWN_HEADERS.test(name), { error: 'this header is set by Viaduct itself' });

/** The value of a header. */
export const headerText = z
  .string()
  .regex(/^[\t\x20-\x7e]*$/, { error: 'must have printable ASCII characters only' })
  .meta({ type: ['string', 'number', 'boolean'] });
