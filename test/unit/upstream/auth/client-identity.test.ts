import { expect, test } from 'vitest';
import { clientInformationOf } from '../../../../src/upstream/auth/client-identity.ts';

test('a client is known by its id; its own secret comes before that of the config', () => {
  expect(clientInformationOf({ id: 'c' }, {})).toEqual({ client_id: 'c' });
  expect(clientInformationOf({ id: 'c' }, { clientSecret: 'config' })).toMatchObject({ client_secret: 'config' });
  const own = clientInformationOf({ id: 'c', secret: 'own' }, { clientSecret: 'config' });
  expect(own).toEqual({ client_id: 'c', client_secret: 'own' });
});

test('the way in which a client proves itself comes with the address that it was registered for, if there is one', () => {
  const authMethod = 'client_secret_post';
  expect(clientInformationOf({ id: 'c', authMethod }, {})).toEqual({
    client_id: 'c',
    token_endpoint_auth_method: authMethod,
    redirect_uris: [],
  });
  const redirectUri = 'http://127.0.0.1:1/callback';
  expect(clientInformationOf({ id: 'c', authMethod, redirectUri }, {})).toMatchObject({ redirect_uris: [redirectUri] });
});
