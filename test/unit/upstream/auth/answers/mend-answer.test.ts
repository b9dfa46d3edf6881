import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  AnswerFault,
  type AnswerKind,
  errorIn,
  mendAnswer,
} from '../../../../../src/upstream/auth/answers/mend-answer.ts';

const SERVER = {
  issuer: 'https://as.example',
  authorization_endpoint: 'https://as.example/authorize',
  token_endpoint: 'https://as.example/token',
};

describe('tokens', () => {
  test.each([
    ['null members', { access_token: 'a', token_type: null, scope: null, refresh_token: null, id_token: null }],
    ['empty members', { access_token: 'a', token_type: '', scope: '', refresh_token: ' ', expires_in: '' }],
    ['empty lists', { access_token: 'a', token_type: [], scope: [], refresh_token: [], expires_in: [] }],
    ['objects', { access_token: 'a', token_type: {}, scope: {}, refresh_token: {}, expires_in: {} }],
    ['no lifetime', { access_token: ' a ', expires_in: 0 }],
    ['a date as lifetime', { access_token: 'a', expires_in: 1_764_500_000_000 }],
    ['a negative lifetime', { access_token: 'a', expires_in: '-1' }],
    ['words as lifetime', { access_token: 'a', expires_in: 'never' }],
    ['a null error', { access_token: 'a', error: null, error_description: '' }],
  ])('with %s are read as if those were absent', (_name, answer) => {
    expect(mendAnswer('tokens', answer)).toEqual({ access_token: 'a', token_type: 'Bearer' });
  });

  test('convert numbers and lists', () => {
    const answer = { access_token: 17, expires_in: '3600.0', scope: ['read', 'write', null], refresh_token: 4 };
    expect(mendAnswer('tokens', answer)).toEqual({
      access_token: '17',
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'read write',
      refresh_token: '4',
    });
  });

  test('without an access token are refused by name', () => {
    expect(() => mendAnswer('tokens', { access_token: null, refresh_token: 'r' })).toThrow('has no "access_token"');
  });

  test('that are an error with status 200 stay one', () => {
    expect(mendAnswer('tokens', { error: 'bad_refresh_token', access_token: '' })).toEqual({ error: 'invalid_grant' });
  });
});

describe('server metadata', () => {
  test('with nulls, empty texts and lists as text keep what is usable', () => {
    const answer = {
      ...SERVER,
      registration_endpoint: '',
      scopes_supported: 'read write',
      response_types_supported: null,
      code_challenge_methods_supported: 'S256',
      token_endpoint_auth_methods_supported: { 0: 'none', 2: 'client_secret_post' },
      authorization_response_iss_parameter_supported: 'true',
      service_documentation: 'none',
      jwks_uri: null,
    };
    expect(mendAnswer('server', answer)).toMatchObject({
      ...SERVER,
      scopes_supported: ['read', 'write'],
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none', 'client_secret_post'],
      authorization_response_iss_parameter_supported: true,
    });
    expect(mendAnswer('server', answer)).not.toHaveProperty('registration_endpoint');
  });

  test.each([
    ['token_endpoint', null, 'has no "token_endpoint"'],
    ['authorization_endpoint', '', 'has no "authorization_endpoint"'],
    ['authorization_endpoint', 'javascript:alert(1)', 'not an http or https address (javascript:alert(1))'],
    ['token_endpoint', '/token', 'not an http or https address (/token)'],
  ])('whose %s is %j are refused by name', (name, value, message) => {
    expect(() => mendAnswer('server', { ...SERVER, [name]: value })).toThrow(message);
  });
});

test('a registration needs an id and nothing else', () => {
  const answer = {
    client_id: 12,
    client_secret: null,
    redirect_uris: null,
    grant_types: 'x',
    client_id_issued_at: '1',
  };
  expect(mendAnswer('registration', answer)).toEqual({ client_id: '12', redirect_uris: [] });
  expect(() => mendAnswer('registration', {})).toThrow('has no "client_id"');
});

test('protected resource metadata with one server as text', () => {
  const answer = { resource: '', authorization_servers: 'https://as.example', scopes_supported: null, jwks_uri: 7 };
  expect(mendAnswer('resource', answer)).toEqual({ authorization_servers: ['https://as.example'] });
  expect(() => mendAnswer('resource', { authorization_servers: ['as.example'] })).toThrow('as.example');
});

test.each([
  [{ error: 'INVALID_GRANT', error_description: null }, { error: 'invalid_grant' }],
  [{ error: { code: 'invalid_client', message: 'no' } }, { error: 'invalid_client', error_description: 'no' }],
  [
    { errorCode: 'E0000', errorSummary: 'no' },
    { error: 'E0000', error_description: 'no' },
  ],
  [{ error: null }, undefined],
])('the error in %j', (answer, expected) => {
  expect(errorIn(answer)).toEqual(expected);
});

test('whatever is sent is mended once and for all, or refused with a sentence', () => {
  const kinds = fc.constantFrom<AnswerKind>('resource', 'server', 'registration', 'tokens');
  const names = Object.keys({
    ...SERVER,
    access_token: 1,
    client_id: 1,
    resource: 1,
    expires_in: 1,
    scope: 1,
    error: 1,
  });
  const value = fc.oneof(fc.jsonValue(), fc.webUrl(), fc.constantFrom(null, '', 0, '0', [], {}));
  fc.assert(
    fc.property(kinds, fc.dictionary(fc.constantFrom(...names), value), (kind, answer) => {
      try {
        const once = mendAnswer(kind, answer);
        expect(mendAnswer(kind, once)).toEqual(once);
      } catch (error) {
        expect(error).toBeInstanceOf(AnswerFault);
      }
    }),
  );
});
