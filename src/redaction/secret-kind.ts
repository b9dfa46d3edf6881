import { isPasswordName, isPublicName, isSecretName } from './names.ts';
import { isPasswordLiteral, isPlaceholder, isSecretLiteral, looksRandom } from './values.ts';

/** How a value stands behind its name: `loose` where it may be code or a word of a sentence. */
export type ValueForm = 'quoted' | 'bare' | 'loose';

/** Which kind of secret a value with this name is; `undefined` where it is none. */
export function secretKindOf(name: string, value: string, form: ValueForm): string | undefined {
  if (isSecretName(name)) return isPlaceholder(value) ? undefined : namedSecret(name, value, form);
  const isRandom = isSetting(name, form) && looksRandom(value);
  return isRandom && !isPublicName(name) && !isPlaceholder(value) ? 'high-entropy' : undefined;
}

/** Whether some value with this name, in this form, would be a secret. */
export function mayBeSecret(name: string, form: ValueForm): boolean {
  return isSetting(name, form) || isSecretName(name);
}

function isSetting(name: string, form: ValueForm): boolean {
  return form === 'quoted' || /^[A-Z][A-Z0-9_]*$/.test(name);
}

function namedSecret(name: string, value: string, form: ValueForm): string | undefined {
  const isQuoted = form === 'quoted';
  // Another name is a reference to a secret; one that a random text happens to contain is none.
  if (!isQuoted && isSecretName(value) && !looksRandom(value)) return undefined;
  if (form !== 'loose' && isPasswordName(name)) return isPasswordLiteral(value, isQuoted) ? 'password' : undefined;
  return isSecretLiteral(value, isQuoted) ? 'secret' : undefined;
}
