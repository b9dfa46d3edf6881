import { z } from 'zod';
import { isBeyondLoopback, readHostPort } from '../../core/addresses/host-port.ts';
import { configKey } from '../../core/settings/config-key.ts';

/** Shorter ones could be guessed. Only what may be in a header and a url as it is, or percent-encoded. */
const TOKEN = /^[\x21-\x7e]{16,512}$/;

const texts = (what: string) => z.array(z.string().min(1)).default([]).describe(what);

/** Options of the workflow in the config, `workflows.live`. */
export const liveOptions = z
  .strictObject({
    addr: z
      .string()
      .refine((text) => readHostPort(text) !== undefined, {
        error: 'must be host:port, such as 127.0.0.1:8080 or [::1]:8080; port 0 is any that is free',
      })
      .default('127.0.0.1:8080')
      .describe(
        'Address on which ws_start listens by default. Without a host, it is reachable only from this machine.',
      ),
    start: z
      .boolean()
      .default(false)
      .describe('Listen from the start of the gateway on, instead of at the first ws_start'),
    token: configKey(
      z
        .string()
        .regex(TOKEN, { error: 'must have 16 to 512 characters, none of them a space or outside ASCII' })
        .optional(),
      {
        meaning: 'Token that clients must send. Needed if other machines can connect; write it as ${NAME}.',
        takesVariables: true,
        secret: 'text',
      },
    ),
    allowedHosts: texts('Values of the Host header that are accepted besides those of this machine'),
    allowedOrigins: texts('Values of the Origin header that are accepted besides pages that this machine serves'),
    slowMs: z
      .int()
      .min(100)
      .max(600_000)
      .default(2_000)
      .describe(
        'A subscriber with no room for more has so long to take a quarter of what waits for it, or is dropped, in milliseconds',
      ),
  })
  .superRefine(({ addr, token }, context) => {
    const address = readHostPort(addr);
    if (token !== undefined || address === undefined || !isBeyondLoopback(address)) return;
    const message =
      'beyond loopback clients must show a token: write "token: ${NAME}" beside it, or listen on 127.0.0.1';
    context.addIssue({ code: 'custom', path: ['addr'], message });
  })
  .prefault({});

export type LiveOptions = z.output<typeof liveOptions>;
