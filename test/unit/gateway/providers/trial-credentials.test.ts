import { expect, test } from 'vitest';
import type { RemoteEntry } from '../../../../src/core/settings/upstream-entry.ts';
import type { Credentials } from '../../../../src/core/stores/credentials.ts';
import { TrialCredentials } from '../../../../src/gateway/providers/trial-credentials.ts';
import { CredentialFiles } from '../../../../src/store/credentials/credential-files.ts';
import { temporaryFolder } from '../../../support/gateway.ts';

function setUp() {
  const folder = temporaryFolder();
  const onError = (error: unknown) => expect.unreachable(String(error));
  const kept = new CredentialFiles({ folder, usesKeychain: false, onError });
  return { kept, trial: new TrialCredentials(kept) };
}

const entry = (key: string, type: string) =>
  ({ key, url: `https://${key}.example/mcp`, headers: {}, auth: { type } }) as unknown as RemoteEntry;
const USER = entry('u', 'oauth');
const MACHINE = entry('m', 'client-credentials');
const CREDENTIALS = {
  issuer: 'https://issuer.example',
  resource: 'https://u.example/mcp',
  client: { clientId: 'c' },
  tokens: { accessToken: 'a', refreshToken: 'r' },
} as unknown as Credentials;

test('renewed tokens of a login are kept, those of a machine are not', async () => {
  const { kept, trial } = setUp();
  await trial.exclusively(USER, () => trial.save(USER, CREDENTIALS));
  expect(await kept.load(USER)).toMatchObject({ tokens: { accessToken: 'a' } });
  await trial.exclusively(MACHINE, () => trial.save(MACHINE, CREDENTIALS));
  expect(await trial.load(MACHINE)).toBe(CREDENTIALS);
  expect(await kept.load(MACHINE)).toBeUndefined();
  await trial.remove(MACHINE);
  expect(await trial.load(MACHINE)).toBeUndefined();
});

test('what a server asks for at the next login is forgotten', () => {
  const { kept, trial } = setUp();
  trial.want(USER, { scope: 'files' });
  expect(trial.wanted(USER)).toEqual({ scope: 'files' });
  expect(kept.wanted(USER)).toEqual({});
});
