import { GatewayError } from '../../../core/errors.ts';
import { characterCount } from '../../../core/text/character-count.ts';
import { redact } from '../../../redaction/redact.ts';
import type { ChatOptions } from './options.ts';

type Redaction = Pick<ChatOptions, 'redaction'>;

/**
 * Returns a text of a client as it is stored.
 * @param argument the name of the argument that has the text
 * @param most most characters of the text
 * @throws GatewayError `INVALID_PARAMS` for a text that is blank or too long
 */
export function checkedText(argument: string, text: string, most: number, options: Redaction): string {
  if (text.trim() === '') throw invalid(`missing or empty required string arg: ${argument}`);
  if (characterCount(text) > most) throw invalid(`invalid arg: ${argument}: must have at most ${most} characters`);
  return withoutSecrets(text, options);
}

/** Takes what looks like a secret out of a text, unless the options say otherwise. */
export function withoutSecrets(text: string, { redaction }: Redaction): string {
  return redaction === 'off' ? text : redact(text).value;
}

/** Returns the error of a call whose arguments cannot be used. */
export function invalid(message: string): GatewayError {
  return new GatewayError('INVALID_PARAMS', message, { effect: 'none' });
}
