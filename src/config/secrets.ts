import { MIN_SECRET_LENGTH } from './mask.ts';

/** Names of variables that hold folders, users and locales. Masking their values would make logs unreadable. */
const PUBLIC_NAMES =
  /^(VIADUCT_CONFIG_DIR|HOME|USERPROFILE|PWD|OLDPWD|USER|USERNAME|LOGNAME|SHELL|LANG|TERM|TZ|TMPDIR|TMP|TEMP)$|PATH$|_(DIR|HOME)$|^(XDG|LC)_/i;

export const isPublicName = (name: string): boolean => PUBLIC_NAMES.test(name);

/** Without repetitions, the longest first, so that masking one never uncovers the rest of another. */
export function toSecrets(values: readonly string[]): string[] {
  const secrets = new Set(values.filter((value) => value.length >= MIN_SECRET_LENGTH));
  return [...secrets].sort((a, b) => b.length - a.length);
}
