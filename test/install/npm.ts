import { execFile } from 'node:child_process';

/** What npm says when there is no network, or no registry. */
const UNREACHABLE = /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ENOTCACHED)\b/;

/** The registry cannot be reached, so the test says nothing about the package. */
export class RegistryUnreachable extends Error {}

interface NpmOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Runs npm with the configuration of the user, and returns what it prints.
 * @throws RegistryUnreachable
 */
export function npm(words: readonly string[], { cwd, env = process.env }: NpmOptions = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile('npm', [...words], { cwd, env, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else if (UNREACHABLE.test(stderr)) reject(new RegistryUnreachable('npm does not reach its registry'));
      else reject(new Error(`npm ${words.join(' ')} failed: ${stderr}`, { cause: error }));
    });
  });
}
