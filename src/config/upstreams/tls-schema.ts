import { z } from 'zod';
import { configKey, type KeyFacts } from '../../core/settings/config-key.ts';
import { processText } from '../field-schemas.ts';

const pem = (meaning: string, facts: Partial<KeyFacts> = {}) =>
  configKey(processText.min(1).optional(), { meaning, value: 'file', takesVariables: true, ...facts });

/** A certificate is of no use without its key, and a passphrase is of no use without the key that it opens. */
const NEEDS = { cert: ['key'], key: ['cert'], passphrase: ['key'] } as const;

const tlsShape = z.strictObject({
  ca: pem('Certificates (PEM) that are trusted instead of those that Node.js trusts.', { more: 'See below.' }),
  cert: pem('Our own certificate (PEM), for servers that require one.'),
  key: pem('The key (PEM) of `cert`.', { secret: 'pem' }),
  passphrase: configKey(processText.optional(), {
    meaning: 'Passphrase of the key.',
    value: 'text',
    takesVariables: true,
    secret: 'text',
  }),
  serverName: configKey(
    z
      .string()
      .regex(/^[\w.-]+$/, { error: 'must be the name of a host' })
      .optional(),
    {
      meaning: "Host that the server's certificate must be for.",
      value: 'name of a host',
      byDefault: 'the host of the url',
      takesVariables: true,
    },
  ),
  verify: configKey(z.boolean().default(true), {
    meaning:
      'Refuse a server without a valid certificate. If you turn this off, anyone between you and the server can read everything.',
  }),
});

/** TLS options of an upstream. */
export const tlsSchema = tlsShape
  .superRefine((tls, context) => {
    for (const [name, needed] of Object.entries(NEEDS)) {
      const [other] = needed;
      if (tls[name as keyof typeof NEEDS] === undefined || tls[other] !== undefined) continue;
      context.addIssue({
        code: 'custom',
        path: [name],
        message: `goes only with ${other}`,
        params: { hint: `add ${other}` },
      });
    }
  })
  .meta({ dependentRequired: NEEDS })
  .optional()
  .describe(
    'Options of TLS, for servers that need more than the certificates that Node.js trusts. Relative paths start at the folder of this file.',
  );

export type TlsFile = z.output<typeof tlsShape>;
