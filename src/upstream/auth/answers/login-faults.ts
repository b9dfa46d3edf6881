import { OAuthError, RegistrationRejectedError } from '@modelcontextprotocol/client';
import { cutText } from '../../../core/text/clean-text.ts';
import { errorIn } from './mend-answer.ts';

/** The longest text of an authorization server that messages repeat, in characters. */
const MAX_WORDS = 300;

/** Returns a refused registration as a sentence that says what to do; any other failure as it is. */
export function refusalOfRegistration(error: unknown, issuer: string, key: string): unknown {
  if (!(error instanceof RegistrationRejectedError)) return error;
  const said = errorIn(JSON.parse(error.body));
  return new Error(
    `${issuer} does not register Viaduct (${said === undefined ? `HTTP ${error.status}` : wordsOf(said.error, said.error_description)}). Register a client there yourself and set upstreams.${key}.auth.clientId`,
    { cause: error },
  );
}

/** Returns a refusal of tokens at a login as a sentence; any other failure as it is. */
export function refusalOfTokens(error: unknown, issuer: string): unknown {
  if (!(error instanceof OAuthError)) return error;
  return new Error(`${issuer} gave no tokens (${wordsOf(error.code, error.message)}). Log in again`, { cause: error });
}

const wordsOf = (code: string, description = ''): string =>
  cutText([code, description].filter((words) => words !== '').join(': '), MAX_WORDS);
