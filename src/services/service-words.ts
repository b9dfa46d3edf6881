import { cleanText, cutText } from '../core/text/clean-text.ts';

const LONGEST = 300;
/** Far more than can be left to show: a service decides how long its error is. */
const READ = 4 * LONGEST;

/** Returns a service's own words about a failure, fit for a message: one line, without the key that it may repeat. */
export function serviceWords(text: string, key: string | undefined): string {
  const said = withoutKey(saidIn(text).trim(), key).slice(0, READ);
  // Once more: a key with an invisible character in it is whole without that character.
  return cutText(withoutKey(cleanText(said).replaceAll(/\s+/g, ' '), key), LONGEST);
}

function withoutKey(text: string, key: string | undefined): string {
  return key === undefined || key === '' ? text : text.replaceAll(key, '***');
}

/** Returns the message of an error in the forms of Ollama, OpenAI and Qdrant; else the whole text. */
function saidIn(text: string): string {
  const answer = parsed(text);
  for (const value of [at(answer, 'error'), at(at(answer, 'status'), 'error'), at(answer, 'message')]) {
    if (typeof value === 'string') return value;
    const message = at(value, 'message');
    if (typeof message === 'string') return message;
  }
  return text;
}

/** Returns the JSON value of a text; `undefined` if it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Returns a member of an object; `undefined` of anything else. */
export function at(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
