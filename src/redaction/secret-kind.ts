import { isPlaceholder } from './forms/placeholders.ts';
import { isCountedWord, isPasswordLiteral, isSecretLiteral, looksRandom } from './forms/values.ts';
import { isPasswordName, isPublicName, isSecretName } from './names.ts';

/** The form of a value after its name: `loose` if it may be code or a word of a sentence. */
export type ValueForm = 'quoted' | 'bare' | 'loose';

/** Returns the kind of secret that a value with this name is; `undefined` if it is none. */
export function secretKindOf(name: string, value: string, form: ValueForm): string | undefined {
  if (/^_?auth$/.test(name) && isBasicLogin(value)) return 'password';
  if (isSecretName(name)) return isPlaceholder(value) ? undefined : namedSecret(name, value, form);
  const isRandom = isSetting(name, form) && looksRandom(value);
  return isRandom && !isPublicName(name) && !isPlaceholder(value) ? 'high-entropy' : undefined;
}

/** Returns true if some value with this name, in this form, would be a secret. */
export function mayBeSecret(name: string, form: ValueForm): boolean {
  return isSetting(name, form) || isSecretName(name) || /^_?auth$/.test(name);
}

/** `user:password` in base64, as in files of npm and Docker. */
function isBasicLogin(value: string): boolean {
  if (!/^[A-Za-z0-9+/]{8,512}={0,2}$/.test(value)) return false;
  return /^[\x21-\x39\x3b-\x7e]{1,200}:[\x20-\x7e]{1,300}$/.test(Buffer.from(value, 'base64').toString('latin1'));
}

function isSetting(name: string, form: ValueForm): boolean {
  return form === 'quoted' || /^[A-Z][A-Z0-9_]*$/.test(name);
}

function namedSecret(name: string, value: string, form: ValueForm): string | undefined {
  const isQuoted = form === 'quoted';
  // Another name is a reference to a secret; one that a random text happens to contain is none.
  if (isNameLike(value, isQuoted) && isSecretName(value) && !looksRandom(value)) return undefined;
  if (isPasswordName(name)) {
    // Reports of tests have a `pass:` too.
    if (form === 'loose' && /^pass$/i.test(name) && isCountedWord(value)) return undefined;
    const isLiteral = form === 'loose' ? isSecretLiteral(value, false) : isPasswordLiteral(value, isQuoted);
    return isLiteral && !isFolder(name, value) ? 'password' : undefined;
  }
  if (form === 'loose' && isCountedWord(value)) return undefined;
  return isSecretLiteral(value, isQuoted) ? 'secret' : undefined;
}

/**
 * Returns true if a value looks like a name. In quotation marks only names of constants are references: `password:
 * "DB_PASSWORD"`.
 */
function isNameLike(value: string, isQuoted: boolean): boolean {
  return isQuoted ? /^[A-Z]+(?:_[A-Z]+)*$/.test(value) : /^[A-Za-z_$][A-Za-z_.$-]*\d{0,2}$/.test(value);
}

/** `pwd` is also what a shell calls the folder that it is in. */
function isFolder(name: string, value: string): boolean {
  return /pwd$/i.test(name) && /^(?:[~/.]|[A-Za-z]:[\\/]|\$)/.test(value);
}
