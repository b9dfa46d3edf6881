import { z } from 'zod';
import { readListenAddress } from '../../core/addresses/listen-address.ts';
import { isLoopbackHost } from '../../core/addresses/loopback.ts';
import { processText, wholeNumber } from '../field-schemas.ts';
import { accessShape } from '../profiles/profile-schema.ts';

const TOKEN_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

const momentSchema = z.union([z.iso.date(), z.iso.datetime({ offset: true, local: true })]);

/** Whether a text is a date of the calendar, with or without a time (ISO 8601). `Date.parse` takes the 30th of February, too. */
export function isMoment(text: string): boolean {
  return momentSchema.safeParse(text).success;
}

const tokenSchema = z.strictObject({
  name: z
    .string()
    .regex(TOKEN_NAME, { error: 'at most 64 letters, digits, ".", "_" and "-", beginning with a letter or a digit' })
    .describe('Who has the token: shown by `viaduct status` and in the log.'),
  hash: z
    .string()
    .regex(/^sha256:[0-9a-f]{64}$/, {
      error: 'must be "sha256:" and 64 hexadecimal digits in lower case, never the token itself',
    })
    .describe('SHA-256 of the token, as `viaduct token create` prints it.'),
  ...accessShape,
  expires: z
    .string()
    .refine(isMoment, {
      error: 'must be a date such as 2027-01-31, or 2027-01-31T12:00:00Z',
    })
    .optional()
    .describe('From this moment on it is refused; a date alone means its first minute (UTC).'),
});

/** A token as the file has it. */
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
    issuer: secureUrl.describe('The authorization server whose access tokens (JWT) are taken: the `iss` in them.'),
    audience: secureUrl.describe(
      'The url by which clients reach this gateway, `/mcp` included: the `aud` in their tokens.',
    ),
    jwksUrl: secureUrl
      .optional()
      .describe('Keys of the authorization server; found by its metadata where it is absent.'),
    scopes: z.array(z.string()).default([]).describe('Scopes that clients are told to ask for.'),
    requiredScopes: z.array(z.string()).default([]).describe('Scopes without any of which a token is refused.'),
    clockSkewSeconds: wholeNumber(0, 600).default(30).describe('How far the clocks may differ, in seconds.'),
  })
  .describe('Access tokens of an OAuth authorization server are taken.');

const tlsSchema = z
  .strictObject({
    cert: processText.min(1).describe('File with the certificate and its chain (PEM); read again when it changes.'),
    key: processText.min(1).describe('File with the private key (PEM).'),
  })
  .describe('HTTPS instead of HTTP.');

export const serverSchema = z
  .strictObject({
    host: z
      .string()
      .regex(/^[A-Za-z0-9.:-]+$/, { error: 'must be an address or a name of this machine' })
      .default('127.0.0.1')
      .describe(
        'Address that `viaduct serve` listens on. Beyond this machine it needs `tokens` or `oauth`, and `tls` or `behindProxy`.',
      ),
    port: wholeNumber(0, 65_535).default(31_415).describe('Port that `viaduct serve` listens on; 0 takes a free one.'),
    tcp: z
      .string()
      .refine((text) => text.startsWith('~/') || readListenAddress(text) !== undefined, {
        error: 'must be host:port, such as 127.0.0.1:9100, or the absolute path of a Unix socket',
      })
      .optional()
      .describe(
        'Where `viaduct serve` takes clients that speak JSON-RPC in lines: `host:port`, or the absolute path of a Unix socket. Without a host it is 127.0.0.1. Off by default.',
      ),
    allowedHosts: z
      .array(z.string().min(1))
      .default([])
      .describe('Values of the Host header that are accepted besides those of this machine and of the certificate.'),
    allowedOrigins: z
      .array(z.string().min(1))
      .default([])
      .describe('Values of the Origin header that are accepted besides those of this machine.'),
    nameInResults: z
      .boolean()
      .default(true)
      .describe(
        'Whether results for clients of 2026-07-28 name the gateway in `_meta`, where they name no server yet.',
      ),
    tokens: z
      .array(tokenSchema)
      .optional()
      .describe(
        'Bearer tokens. Where this is written, HTTP clients need one of them, or one of `oauth`; an empty list lets nobody in.',
      ),
    oauth: oauthSchema.optional(),
    tls: tlsSchema.optional(),
    behindProxy: z
      .boolean()
      .default(false)
      .describe('A proxy that speaks TLS stands in front; the last address in its X-Forwarded-For is the client.'),
    sessionless: z
      .boolean()
      .optional()
      .describe(
        'Whether single requests are answered without `initialize` and session. By default only where no other machine can reach the endpoint.',
      ),
  })
  .prefault({})
  .describe('The HTTP endpoint of `viaduct serve`.');
