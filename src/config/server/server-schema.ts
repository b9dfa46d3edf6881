import { z } from 'zod';
import { readListenAddress } from '../../core/addresses/listen-address.ts';
import { isLoopbackHost } from '../../core/addresses/loopback.ts';
import { configKey, type KeyFacts } from '../../core/settings/config-key.ts';
import { processText, wholeNumber } from '../field-schemas.ts';
import { accessShape } from '../profiles/profile-schema.ts';
import { pemFileProblem } from './pem-file.ts';

const TOKEN_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

const momentSchema = z.union([z.iso.date(), z.iso.datetime({ offset: true, local: true })]);

/**
 * Returns whether a text is a date of the calendar, with or without a time (ISO 8601). `Date.parse` also accepts the 30th of
 * February.
 */
export function isMoment(text: string): boolean {
  return momentSchema.safeParse(text).success;
}

const tokenSchema = z.strictObject({
  name: configKey(
    z
      .string()
      .regex(TOKEN_NAME, { error: 'at most 64 letters, digits, ".", "_" and "-", beginning with a letter or a digit' }),
    { meaning: 'Holder of the token. `viaduct status` and the log show it.' },
  ),
  hash: configKey(
    z.string().regex(/^sha256:[0-9a-f]{64}$/, {
      error: 'must be "sha256:" and 64 hexadecimal digits in lower case, never the token itself',
    }),
    { meaning: 'SHA-256 of the token, as `viaduct token create` prints it.', secret: 'digest' },
  ),
  ...accessShape,
  expires: configKey(
    z.string().refine(isMoment, { error: 'must be a date such as 2027-01-31, or 2027-01-31T12:00:00Z' }).optional(),
    { meaning: 'The time from which it is refused. A date without a time means its first minute (UTC).' },
  ),
});

/** A token as it is in the file. */
export type TokenFile = z.input<typeof tokenSchema>;

const secureUrl = z.string().refine(isSecureUrl, {
  error: 'must be a url that begins with https://; http:// only for this machine',
});

function isSecureUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, hash } = new URL(text);
  if (hash !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname.replace(/^\[(.*)\]$/, '$1')));
}

const oauthSchema = z
  .strictObject({
    issuer: configKey(secureUrl, {
      meaning: 'Authorization server whose access tokens (JWT) are accepted: their `iss`.',
      value: 'url',
      byDefault: 'required',
    }),
    audience: configKey(secureUrl, {
      meaning: 'Url at which clients reach this gateway, including `/mcp`: the `aud` of their tokens.',
      value: 'url',
      byDefault: 'required',
    }),
    jwksUrl: configKey(secureUrl.optional(), {
      meaning: 'Url of the keys of the authorization server; by default, its metadata name it.',
      value: 'url',
      byDefault: 'by metadata',
    }),
    scopes: configKey(z.array(z.string()).default([]), {
      meaning: 'Scopes that clients are told to ask for.',
      value: 'list of texts',
    }),
    requiredScopes: configKey(z.array(z.string()).default([]), {
      meaning: 'Scopes that a token must have, all of them.',
      value: 'list of texts',
    }),
    clockSkewSeconds: configKey(wholeNumber(0, 600).default(30), {
      meaning: 'Number of seconds by which the clocks may differ.',
    }),
  })
  .describe('Access tokens of an OAuth authorization server are accepted.');

const pemFile = (meaning: string) =>
  configKey(processText.min(1), { meaning, value: 'file', byDefault: 'required', rule: pemFileProblem });

const tlsSchema = z
  .strictObject({
    cert: pemFile('File of the certificate and its chain (PEM). It is read again when it changes.'),
    key: pemFile('File of the private key (PEM).'),
  })
  .describe('HTTPS instead of HTTP.');

const TCP: KeyFacts = {
  meaning:
    'Where `viaduct serve` accepts clients that speak JSON-RPC in lines: `host:port`, or the absolute path of a Unix socket. The default host is `127.0.0.1`.',
  more: '`$MCP_ADDR` takes precedence. See [ACCESS.md](ACCESS.md#json-rpc-in-lines).',
  value: '`host:port`, or path of a socket',
  byDefault: 'off',
  example: '127.0.0.1:9100',
};

/** The section `server`. */
export const serverSchema = z
  .strictObject({
    host: configKey(
      z
        .string()
        .regex(/^[A-Za-z0-9.:-]+$/, { error: 'must be an address or a name of this machine' })
        .default('127.0.0.1'),
      {
        meaning:
          'Address that `viaduct serve` listens on. An address that other machines can reach needs `tokens` or `oauth`, and `tls` or `behindProxy`.',
        value: 'address',
      },
    ),
    port: configKey(wholeNumber(0, 65_535).default(31_415), {
      meaning: 'Port that `viaduct serve` listens on. 0 means any free port.',
    }),
    tcp: configKey(
      z
        .string()
        .refine((text) => text.startsWith('~/') || readListenAddress(text) !== undefined, {
          error: 'must be host:port, such as 127.0.0.1:9100, or the absolute path of a Unix socket',
        })
        .optional(),
      TCP,
    ),
    allowedHosts: configKey(z.array(z.string().min(1)).default([]), {
      meaning:
        'Values of the `Host` header that are accepted in addition to those of this machine and of the certificate.',
      value: 'list of texts',
    }),
    allowedOrigins: configKey(z.array(z.string().min(1)).default([]), {
      meaning: 'Values of the `Origin` header that are accepted in addition to those of this machine.',
      value: 'list of texts',
    }),
    nameInResults: configKey(z.boolean().default(true), {
      meaning: 'Name the gateway in `_meta` of results for clients of 2026-07-28 if the result names no server yet.',
    }),
    tokens: configKey(z.array(tokenSchema).optional(), {
      meaning:
        'Bearer tokens: `name`, `hash`, and optionally `upstreams`, `workflows`, `tools`, `projects` and `expires`. If the list is present, HTTP clients need one of these tokens, or one of `oauth`. An empty list refuses every client.',
      value: 'list of tokens',
      byDefault: 'none',
    }),
    oauth: oauthSchema.optional(),
    tls: tlsSchema.optional(),
    behindProxy: configKey(z.boolean().default(false), {
      meaning:
        'There is a proxy in front that speaks TLS. The last address in its `X-Forwarded-For` is that of the client.',
    }),
    sessionless: configKey(z.boolean().optional(), {
      meaning:
        'Answer single requests without `initialize` and session. By default, this is on only if no other machine can reach the endpoint.',
      more: 'See [ACCESS.md](ACCESS.md#requests-without-a-session).',
      byDefault: 'see meaning',
    }),
  })
  .prefault({})
  .describe('The HTTP endpoint of `viaduct serve`.');
