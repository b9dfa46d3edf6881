import { z } from 'zod';
import { configKey } from '../../../core/settings/config-key.ts';

const urlOf = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

/** The url of the IDE backend. A user, a password or a query in it would reach messages and logs. */
const backendUrl = z
  .string()
  .refine((text) => /^wss?:$/.test(urlOf(text)?.protocol ?? ''), {
    error: 'must be a url that begins with ws:// or wss://',
    abort: true,
  })
  .refine((text) => isPlain(urlOf(text)!), {
    error: 'must not have a user, a password, a query or a fragment in it',
    params: { hint: 'a token belongs beside it: token: ${NAME}' },
  });

/** Options of the connection to an IDE backend; they stand directly under `workflows.ide`. */
export const bridgeOptions = {
  url: backendUrl
    .optional()
    .describe('WebSocket of an IDE backend, such as ws://localhost:9876/ws; without it, nothing is connected'),
  token: configKey(
    z
      .string()
      .regex(/^[\x21-\x7e]{1,4096}$/, {
        error: 'must have at most 4096 characters, none of them a space or outside ASCII',
      })
      .optional(),
    { meaning: 'Bearer token for the backend; write it as ${NAME}', takesVariables: true, secret: 'text' },
  ),
  reconnectMs: z
    .int()
    .min(100)
    .max(600_000)
    .default(2_000)
    .describe('Pause before the first attempt to connect again, in milliseconds; it doubles with each attempt'),
  maxReconnectMs: z
    .int()
    .min(100)
    .max(3_600_000)
    .default(30_000)
    .describe('Longest pause between two attempts to connect, in milliseconds'),
  answerMs: z
    .int()
    .min(10)
    .max(60_000)
    .default(2_000)
    .describe('Time that the backend has to answer a tool call, in milliseconds'),
};

function isPlain({ username, password, search, hash }: URL): boolean {
  return `${username}${password}${search}${hash}` === '';
}
