import { z } from 'zod';
import { processText, scalarText, wholeNumber } from '../field-schemas.ts';

/** What an entry may say instead of a mapping: nothing is tried when its server wants to know who we are. */
export const NO_AUTH = 'none';

const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512'] as const;

const httpsUrl = (text: string): boolean =>
  text.includes('${') || (URL.canParse(text) && new URL(text).protocol === 'https:');

/** Of a server on this machine it may be plain http. */
const isIssuer = (text: string): boolean =>
  httpsUrl(text) || (URL.canParse(text) && /^https?:\/\/(localhost|127(\.\d+){3}|\[::1\])(:|\/|$)/.test(text));

const common = {
  issuer: z
    .string()
    .refine(isIssuer, { error: 'must be a url that begins with https://' })
    .optional()
    .describe(
      'The only issuer that is used, also where the metadata that the upstream names have it in place of their own address; without it, the one that the upstream names.',
    ),
  scopes: z
    .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, { error: 'not a scope: no spaces, no quotes' }))
    .optional()
    .describe('Scopes to ask for; without them, those that the upstream names.'),
};

const clientId = scalarText.min(1).describe(`Name of the client at the authorization server. \${VAR} is replaced.`);
const clientSecret = scalarText.min(1).describe(`Secret of the client. \${VAR} is replaced.`);

const login = z.strictObject({
  type: z.literal('oauth').describe('A user logs in with a browser: `viaduct auth login`.'),
  clientId: clientId.optional(),
  clientSecret: clientSecret.optional(),
  clientMetadataUrl: z
    .string()
    .refine(httpsUrl, { error: 'must be a url that begins with https://' })
    .optional()
    .describe('Url of a client id metadata document, used where the authorization server takes such.'),
  callbackPort: wholeNumber(1, 65_535)
    .optional()
    .describe('Port of 127.0.0.1 to which the browser comes back; without it a free one.'),
  ...common,
});

const secret = z.strictObject({
  type: z.literal('client-credentials').describe('The gateway proves by a secret who it is; nobody logs in.'),
  clientId,
  clientSecret,
  ...common,
});

const key = z.strictObject({
  type: z.literal('private-key-jwt').describe('The gateway proves by a signature who it is; nobody logs in.'),
  clientId,
  key: processText
    .min(1)
    .describe(
      `Private key (PKCS #8, PEM): its file, seen from the folder of this file, or the key itself. \${VAR} is replaced.`,
    ),
  alg: z.enum(ALGORITHMS).default('RS256').describe('How to sign.'),
  ...common,
});

/** `auth` of an entry with a url. */
const TYPES = 'oauth, client-credentials or private-key-jwt';

export const authSchema = z.union(
  [z.literal(NO_AUTH), z.discriminatedUnion('type', [login, secret, key], { error: `the type must be ${TYPES}` })],
  { error: `must be none, or a mapping with the type ${TYPES}` },
);

export type AuthFile = z.output<typeof authSchema>;
