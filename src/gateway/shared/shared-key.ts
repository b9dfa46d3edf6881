import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isToken, newToken } from '../../core/handshake/proofs.ts';
import type { Environment } from '../../core/settings/environment.ts';
import { withFileLock } from '../../store/file-lock.ts';
import { writeWhole } from '../../store/write-whole.ts';
import { realPath, runFolder } from '../settings/paths.ts';
import { VERSION } from '../version.ts';

/** The facts by which clients have the same shared gateway. */
export interface SharedIdentity {
  readonly configPath: string;
  /** The config lies in a working folder: each content of it must be trusted. */
  readonly isOfFolder: boolean;
  /** Names of the variables that the config uses. */
  readonly variables: readonly string[];
}

const KEY_LENGTH = 20;

/**
 * Returns the key of the gateway for clients with the same config and version, and the same values of the variables that the
 * config uses. A secret of this machine goes into it: the name of a file must not tell which values are right.
 */
export function sharedKey(
  secret: string,
  { configPath, isOfFolder, variables }: SharedIdentity,
  env: Environment,
): string {
  const values = variables.map((name) => [name, env[name] ?? null]);
  const text = JSON.stringify([VERSION, realPath(configPath), isOfFolder, values]);
  return createHmac('sha256', secret).update(text).digest('hex').slice(0, KEY_LENGTH);
}

/**
 * Returns the secret for keys, which is made when it is needed for the first time.
 * @throws the system's error when it cannot be written
 */
export async function keySecret(home: string): Promise<string> {
  const file = path.join(runFolder(home), 'key-secret');
  return secretIn(file) ?? withFileLock(`${file}.lock`, async () => secretIn(file) ?? makeSecret(file));
}

/** Returns the secret if it was made before. */
export function madeSecret(home: string): string | undefined {
  return secretIn(path.join(runFolder(home), 'key-secret'));
}

function secretIn(file: string): string | undefined {
  try {
    const text = readFileSync(file, 'utf8');
    return isToken(text) ? text : undefined;
  } catch {
    return undefined; // not made yet
  }
}

function makeSecret(file: string): string {
  const secret = newToken();
  writeWhole(file, secret, { isDurable: true });
  return secret;
}
