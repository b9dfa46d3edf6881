import { z } from 'zod';

/** One message for everything that can be wrong with the number. */
export function wholeNumber(min: number, max: number) {
  const error = (issue: { readonly input?: unknown }): string | undefined =>
    issue.input === undefined ? undefined : `must be a whole number from ${min} to ${max}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
}

/** Text that reaches a process: it cannot contain NUL. */
export const processText = z.string().regex(/^[^\0]*$/, { error: 'must not contain a NUL character' });

/**
 * `PORT: 8080` is written so often that scalars are taken as their text. The reader of the file turns them into
 * strings; this tells editors that they are fine.
 */
export const scalarText = processText.meta({ type: ['string', 'number', 'boolean'] });
