import { isPlainValue } from '../../core/text/plain-value.ts';
import { MIN_SECRET_LENGTH } from './mask.ts';

/** Names of variables that hold folders, users and locales. Masking their values would make logs unreadable. */
const PUBLIC_NAMES =
  /^(VIADUCT_CONFIG_DIR|HOME|USERPROFILE|PWD|OLDPWD|USER|USERNAME|LOGNAME|SHELL|LANG|TERM|TZ|TMPDIR|TMP|TEMP)$|PATH$|_(DIR|HOME)$|^(XDG|LC)_/i;

/** Returns whether a variable holds a folder, a user or a locale by its name. */
export const isPublicName = (name: string): boolean => PUBLIC_NAMES.test(name);

/** Parts of names of variables that hold secrets. Broad on purpose: what they match by mistake is only masked. */
const SECRET_NAME =
  /key|auth(?!or)|pass|pwd|pw$|cred|secret|token|login|sign|salt|pepper|priv|session|hook|dsn|cookie|bearer|psk|otp|cert|(?:^|_)(?:pin|code|id)$/i;

/** Returns whether a value that is in `env` itself counts as a secret: its name says so, or it is no plain setting. */
export function mayBeSecret(name: string, value: string): boolean {
  return SECRET_NAME.test(name) || !isPlainValue(value);
}

/** Returns texts without repetitions, the longest first, so that masking one never uncovers the rest of another. */
export function toSecrets(values: readonly string[]): string[] {
  const secrets = new Set(values.filter((value) => value.length >= MIN_SECRET_LENGTH));
  return [...secrets].sort((a, b) => b.length - a.length);
}
