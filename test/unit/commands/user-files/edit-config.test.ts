import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { editConfig, trustNew } from '../../../../src/commands/user-files/edit-config.ts';
import { digestOf } from '../../../../src/config/source/config-file.ts';
import { addTrust, readTrust, trustOf } from '../../../../src/gateway/trust/trust-file.ts';
import { temporaryFolder } from '../../../support/gateway.ts';

let home: string;
let file: string;
let env: NodeJS.ProcessEnv;

beforeEach(() => {
  home = temporaryFolder();
  file = path.join(temporaryFolder(), 'viaduct.yaml');
  env = { VIADUCT_HOME: home };
});

const trust = () => trustOf(home, { path: file, sha256: digestOf(readFileSync(file)) });

describe('a change at the user’s command', () => {
  test('keeps the trust in a config of a folder', async () => {
    writeFileSync(file, '\uFEFFa: ä');
    await addTrust(home, { path: file, sha256: digestOf(readFileSync(file)) });
    expect(await editConfig(file, env, (text) => `${text}\nb: 1`)).toBe('written');
    expect(await trust()).toBe('trusted');
  });

  test('gives no trust that was not there', async () => {
    writeFileSync(file, 'a');
    await editConfig(file, env, () => 'b');
    expect(await trust()).toBe('untrusted');
  });

  test('gives none to what somebody else has written before it', async () => {
    writeFileSync(file, 'a');
    await addTrust(home, { path: file, sha256: digestOf('a') });
    writeFileSync(file, 'hostile');
    await editConfig(file, env, (text) => `${text} and ours`);
    expect(await trust()).toBe('changed');
  });

  test('that makes the file trusts it, and it is for this user alone', async () => {
    await editConfig(file, env, () => 'new');
    expect(await trust()).toBe('trusted');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('of a config that is always named notes nothing', async () => {
    file = path.join(path.dirname(file), 'mine.yaml');
    await editConfig(file, env, () => 'new');
    await trustNew(file, 'new', env);
    expect(await readTrust(home)).toEqual([]);
  });
});
