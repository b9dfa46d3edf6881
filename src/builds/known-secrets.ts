import { isSecretName } from '../redaction/names.ts';
import { Masker } from '../telemetry/masker.ts';

/**
 * Returns a function that replaces the secrets which a build was given in its environment: the values of variables with names
 * such as `NPM_TOKEN`, which no pattern finds in an output.
 */
export function maskOfSecrets(env: Readonly<Record<string, string>>): (text: string) => string {
  const masker = new Masker();
  for (const [name, value] of Object.entries(env)) if (isSecretName(name)) masker.add(value);
  return (text) => masker.mask(text);
}
