import { z } from 'zod';
import { processText } from '../field-schemas.ts';

const pem = (description: string) => processText.min(1).optional().describe(`${description} \${VAR} is replaced.`);

/** A certificate is of no use without its key, nor a passphrase without what it opens. */
const NEEDS = { cert: ['key'], key: ['cert'], passphrase: ['key'] } as const;

const tlsShape = z.strictObject({
  ca: pem('File of certificates (PEM) that are trusted instead of those that Node.js trusts.'),
  cert: pem('File of our own certificate (PEM), for servers that want one.'),
  key: pem('File of the key (PEM) of `cert`.'),
  passphrase: processText.optional().describe(`Opens the key. \${VAR} is replaced.`),
  serverName: z
    .string()
    .regex(/^[\w.-]+$/, { error: 'must be the name of a host' })
    .optional()
    .describe("Whom the server's certificate must be for; by default, the host of the url."),
  verify: z
    .boolean()
    .default(true)
    .describe('Refuse a server without a valid certificate. Without that, whoever is on the way can read all.'),
});

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
    'What TLS needs besides the certificates that Node.js trusts. Files are seen from the folder of this file.',
  );

export type TlsFile = z.output<typeof tlsShape>;
