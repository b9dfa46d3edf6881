import { OAuthError, RegistrationRejectedError } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { refusalOfRegistration, refusalOfTokens } from '../../../../../src/upstream/auth/answers/login-faults.ts';

const ISSUER = 'https://as.example';

function refused(body: object, status = 400): string {
  const error = new RegistrationRejectedError({ status, body: JSON.stringify(body) } as never);
  return (refusalOfRegistration(error, ISSUER, 'up') as Error).message;
}

test('a refused registration says why, as far as the server does, and what to do', () => {
  const help = 'Register a client there yourself and set upstreams.up.auth.clientId';
  expect(refused({ error: 'access_denied', error_description: 'not you' })).toBe(
    `${ISSUER} does not register Viaduct (access_denied: not you). ${help}`,
  );
  expect(refused({ error: 'access_denied' })).toContain('(access_denied). ');
  expect(refused({}, 403)).toBe(`${ISSUER} does not register Viaduct (HTTP 403). ${help}`);
});

test('refused tokens say why, and any other failure stays as it is', () => {
  const said = refusalOfTokens(new OAuthError('invalid_grant' as never, 'too old'), ISSUER);
  expect((said as Error).message).toBe(`${ISSUER} gave no tokens (invalid_grant: too old). Log in again`);
  const other = new Error('no network');
  expect([refusalOfTokens(other, ISSUER), refusalOfRegistration(other, ISSUER, 'up')]).toEqual([other, other]);
});
