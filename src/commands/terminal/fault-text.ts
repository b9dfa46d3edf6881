import { inspect } from 'node:util';
import { cutOutsideSecrets } from '../../redaction/cut-outside-secrets.ts';
import { redact } from '../../redaction/redact.ts';

/** The message of an error may quote what a peer has sent. */
const MAX_LOOKED_AT = 8_192;
const MAX_CAUSES = 5;

/** Returns where and why an error was thrown, with its causes, and without anything that looks like a secret. */
export function faultText(error: unknown): string {
  const texts: string[] = [];
  let next = error;
  do {
    texts.push(textOf(next));
    next = next instanceof Error ? next.cause : undefined;
  } while (next !== undefined && texts.length < MAX_CAUSES);
  return redact(texts.join('\ncaused by: ')).value;
}

function textOf(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? String(error)) : `thrown: ${inspect(error, { depth: 1 })}`;
  return cutOutsideSecrets(text, MAX_LOOKED_AT);
}
