import { EXAMPLE } from '../example.ts';
import { ConfigError } from '../findings/config-error.ts';

/** The message of an error about a config that is not there. */
export const MISSING = 'there is no config file here';

/** Returns the error that there is no config: it says where one was looked for, and how to begin. */
export function missingConfig(path: string, tried: readonly string[]): ConfigError {
  const hint = [
    'looked for:',
    ...tried.map((candidate) => `  ${candidate}`),
    '`viaduct config path` shows which file is used, `viaduct init` writes one. A config that works:',
    EXAMPLE,
  ].join('\n');
  return new ConfigError(path, [{ line: 0, column: 0, jsonPath: '', message: MISSING, hint }]);
}
