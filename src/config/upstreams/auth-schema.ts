import { z } from 'zod';
import { configKey } from '../../core/settings/config-key.ts';
import { processText, scalarText, wholeNumber } from '../field-schemas.ts';

/** The value of `auth` with which no login is tried if the server wants to know who we are. */
export const NO_AUTH = 'none';

const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512'] as const;

const isHttpsUrl = (text: string): boolean =>
  text.includes('${') || (URL.canParse(text) && new URL(text).protocol === 'https:');

/** A server on this machine may use plain http. */
const isIssuer = (text: string): boolean =>
  isHttpsUrl(text) || (URL.canParse(text) && /^https?:\/\/(localhost|127(\.\d+){3}|\[::1\])(:|\/|$)/.test(text));

const common = {
  issuer: configKey(z.string().refine(isIssuer, { error: 'must be a url that begins with https://' }).optional(), {
    meaning:
      'The only issuer that is used, even if the metadata of the authorization server name another issuer than its address. By default, the issuer that the upstream names.',
  }),
  scopes: configKey(
    z.array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, { error: 'not a scope: no spaces, no quotes' })).optional(),
    { meaning: 'Scopes to ask for. By default, those that the upstream names.' },
  ),
};

const clientId = configKey(scalarText.min(1), {
  meaning: 'Id of the client at the authorization server. ${VAR} is replaced.',
});
const CLIENT_SECRET = { meaning: 'Secret of the client. ${VAR} is replaced.', secret: 'text' } as const;
const clientSecret = scalarText.min(1);

const login = z.strictObject({
  type: z.literal('oauth').describe('A user logs in with a browser: `viaduct auth login`.'),
  clientId: clientId.optional(),
  clientSecret: configKey(clientSecret.optional(), CLIENT_SECRET),
  clientMetadataUrl: configKey(
    z.string().refine(isHttpsUrl, { error: 'must be a url that begins with https://' }).optional(),
    { meaning: 'Url of a client id metadata document, used if the authorization server supports them.' },
  ),
  callbackPort: configKey(wholeNumber(1, 65_535).optional(), {
    meaning: 'Port of 127.0.0.1 to which the browser returns. By default, any free port.',
  }),
  ...common,
});

const secret = z.strictObject({
  type: z.literal('client-credentials').describe('The gateway authenticates with a secret, without a user login.'),
  clientId,
  clientSecret: configKey(clientSecret, CLIENT_SECRET),
  ...common,
});

const key = z.strictObject({
  type: z.literal('private-key-jwt').describe('The gateway authenticates with a signature, without a user login.'),
  clientId,
  key: configKey(processText.min(1), {
    meaning:
      'Private key (PKCS #8, PEM): the path of its file, relative to the folder of this file, or the key itself. ${VAR} is replaced.',
    secret: 'pem',
  }),
  alg: configKey(z.enum(ALGORITHMS).default('RS256'), { meaning: 'Algorithm of the signature.' }),
  ...common,
});

const TYPES = 'oauth, client-credentials or private-key-jwt';

/** The value of `auth` in an entry with a url. */
export const authSchema = z.union(
  [z.literal(NO_AUTH), z.discriminatedUnion('type', [login, secret, key], { error: `the type must be ${TYPES}` })],
  { error: `must be none, or a mapping with the type ${TYPES}` },
);

export type AuthFile = z.output<typeof authSchema>;
