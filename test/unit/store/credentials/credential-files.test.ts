import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Credentials } from '../../../../src/core/stores/credentials.ts';
import { CredentialFiles } from '../../../../src/store/credentials/credential-files.ts';
import { temporaryFolder } from '../../../support/gateway.ts';
import { remoteEntryOf } from '../../upstream/entries.ts';

const entry = remoteEntryOf('https://mcp.example.com/mcp?team=1');
const credentials: Credentials = {
  issuer: 'https://as.example.com',
  resource: 'https://mcp.example.com/mcp',
  client: { id: 'client', secret: 'client-secret' },
  tokens: { accessToken: 'access', refreshToken: 'refresh', scope: 'read', issuedAt: 1, expiresAt: 2 },
};

function open(folder = path.join(temporaryFolder(), 'auth')) {
  const errors: string[] = [];
  const store = new CredentialFiles({
    folder,
    usesKeychain: false,
    onError: (_error, message) => errors.push(message),
  });
  return { store, folder, errors };
}

test('what cannot be kept for the next login is reported in words', () => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'taken'), '');
  const { store, errors } = open(path.join(folder, 'taken', 'auth'));
  store.want(entry, { scope: 'read' } as never);
  expect(errors).toEqual(['what an upstream asks for at the next login could not be kept']);
});

describe('credentials', () => {
  test('are there again in another process, and the note has no secret of them', async () => {
    const { store, folder } = open();
    expect(store.note(entry)).toBeUndefined();
    await store.save(entry, credentials);
    const other = open(folder).store;
    expect(await other.load(entry)).toEqual(credentials);
    expect(other.note(entry)).toMatchObject({ hasTokens: true, isRenewable: true, scope: 'read', keptIn: 'file' });
    expect(JSON.stringify(other.note(entry))).not.toMatch(/access|refresh"|secret|team=1/);
  });

  test('only their user can read them', async () => {
    const { store, folder } = open();
    await store.save(entry, credentials);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(folder)) expect(statSync(path.join(folder, name)).mode & 0o777).toBe(0o600);
  });

  test('hold for one url and one client', async () => {
    const { store } = open();
    await store.save(entry, credentials);
    expect(await store.load(remoteEntryOf('https://mcp.example.com/other'))).toBeUndefined();
    const auth = { type: 'oauth', isWritten: true, clientId: 'another' } as const;
    expect(await store.load({ ...entry, auth })).toBeUndefined();
  });

  test('that are damaged are none', async () => {
    const { store, folder } = open();
    await store.save(entry, credentials);
    const [file] = readdirSync(folder);
    writeFileSync(path.join(folder, file!), '{"version":1,');
    expect(await store.load(entry)).toBeUndefined();
    expect(store.note(entry)).toBeUndefined();
  });

  test('that are removed leave nothing behind', async () => {
    const { store, folder } = open();
    await store.save(entry, credentials);
    store.want(entry, { scope: 'write' });
    expect(store.wanted(entry)).toEqual({ scope: 'write' });
    await store.remove(entry);
    expect(readdirSync(folder)).toEqual([]);
    expect(store.wanted(entry)).toEqual({});
  });

  test('in a keychain that is out of reach are not said to be gone', async () => {
    const { store, folder } = open();
    await store.save(entry, credentials);
    const file = path.join(folder, readdirSync(folder)[0]!);
    const { version, note } = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ version, note: { ...note, keptIn: 'keychain' } }));
    await expect(store.remove(entry)).rejects.toThrow('out of reach');
    expect(store.note(entry)).toMatchObject({ hasTokens: true });
  });

  test('that another process saves are noticed', async () => {
    const { store, folder } = open();
    const changed = new Promise<void>((resolve) => onTestFinished(store.watch(resolve)));
    await open(folder).store.save(entry, credentials);
    await changed;
  });
});

describe('tokens count as renewable', () => {
  const tokens = { accessToken: 'a', issuedAt: 1 };
  const machine = { ...entry, auth: { type: 'clientCredentials' } } as unknown as typeof entry;
  const byPerson = { ...entry, auth: { type: 'oauth', isWritten: true } } as unknown as typeof entry;

  test.each([
    ['with a token that renews them', entry, { ...tokens, refreshToken: 'r' }, true],
    ['without one', entry, tokens, false],
    ['without one, by a login that is written in the config', byPerson, tokens, false],
    ['that a machine gets by itself', machine, tokens, true],
    ['that a machine has not got yet', machine, undefined, false],
  ])('%s', async (_what, of, kept, isRenewable) => {
    const { store } = open();
    const { tokens: _tokens, ...rest } = credentials;
    await store.save(of, { ...rest, ...(kept !== undefined && { tokens: kept }) });
    expect(store.note(of)).toMatchObject({ isRenewable, hasTokens: kept !== undefined });
  });
});

test('tokens in a keychain that is out of reach are none, and are not forgotten', async () => {
  const { store, folder } = open();
  await store.save(entry, credentials);
  const file = path.join(folder, readdirSync(folder)[0]!);
  const { credentials: _credentials, note, ...rest } = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...rest, note: { ...note, keptIn: 'keychain' } }));
  expect(await store.load(entry)).toBeUndefined();
  await expect(store.remove(entry)).rejects.toThrow(
    'its tokens are in the keychain of the system, which is out of reach',
  );
  expect(store.note(entry)).toMatchObject({ keptIn: 'keychain' });
});

test('a folder that cannot be watched is reported, and nothing else fails', () => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'taken'), '');
  const { store, errors } = open(path.join(folder, 'taken', 'auth'));
  store.watch(() => undefined)();
  expect(errors).toEqual(['logins are not noticed']);
});
