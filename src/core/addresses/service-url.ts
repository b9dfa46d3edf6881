import { z } from 'zod';

const urlOf = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

/** The url of a service that is spoken to over HTTP. A user or password in it would reach messages and logs. */
export const serviceUrl = z
  .string()
  .refine((text) => /^https?:$/.test(urlOf(text)?.protocol ?? ''), {
    error: 'must be a url that begins with http:// or https://',
    abort: true,
  })
  .refine((text) => `${urlOf(text)?.username}${urlOf(text)?.password}${urlOf(text)?.search}` === '', {
    error: 'must not have a user, a password or a query in it',
    params: { hint: 'a key belongs beside it: apiKey: ${NAME}' },
  });

/** Characters that a header can have unescaped. */
export const apiKey = z.string().regex(/^[\x21-\x7e]{1,4096}$/, {
  error: 'must have at most 4096 characters, none of them a space or outside ASCII',
});
