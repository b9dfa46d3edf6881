import type { KeyFacts, SecretKind } from '../../core/settings/config-key.ts';
import type { Environment } from '../../core/settings/environment.ts';
import { MIN_SECRET_LENGTH } from './mask.ts';
import { isPublicName, mayBeSecret } from './secrets.ts';

/** The surroundings in which a config is read. */
export interface SecretContext {
  /** The folder of the config file. */
  readonly folder: string;
  readonly env: Environment;
}

interface SecretRule {
  /** Returns the texts of a value that must never be shown. */
  textsOf(value: string, name: string, context: SecretContext, facts: KeyFacts): readonly string[];
  /** Returns whether a value as it stands in the file, under this name, gives a secret away. */
  isLiteral(value: string, name: string, facts: KeyFacts): boolean;
}

const isReference = (value: string): boolean => value.includes('${');
const isPem = (value: string): boolean => value.includes('-----BEGIN');
const isWritten = (value: string): boolean => value.length >= MIN_SECRET_LENGTH && !isReference(value);

/** The rules for each kind of secret. */
export const SECRET_RULES: Readonly<Record<SecretKind, SecretRule>> = {
  text: { textsOf: (value) => [value], isLiteral: isWritten },
  header: {
    textsOf: (value) => [value, value.replace(/^\w+\s+/, '')],
    isLiteral: (value, name) => !isPublicName(name) && isWritten(value),
  },
  variable: {
    textsOf: (value, name, context) => (isSecretVariable(name, value, context) ? [value] : []),
    isLiteral: (value, name) => !isPublicName(name) && isWritten(value),
  },
  pem: {
    // The lines of a PEM text stand on lines of their own in a log.
    textsOf: (value) => (isPem(value) ? [value, ...value.split('\n').filter((line) => !line.startsWith('-----'))] : []),
    isLiteral: (value) => isPem(value) && isWritten(value),
  },
  url: {
    textsOf(value, _name, _context, { passwordsIn }) {
      const passwords = passwordsIn?.(value) ?? [];
      return passwords.length === 0 ? [] : [value, ...passwords];
    },
    isLiteral: (value, _name, { passwordsIn }) =>
      passwordsIn?.(value).some((password) => !password.startsWith('${')) ?? false,
  },
  digest: { textsOf: () => [], isLiteral: () => false },
};

/**
 * Folders such as `FOLDER: ${HOME}` are not secret: they are in every second line of a log. Nor are plain settings, which
 * are words of names as well: `ORG: github` would hide a part of `github_search`.
 */
function isSecretVariable(name: string, value: string, { folder, env }: SecretContext): boolean {
  if (isPublicName(name) || value === folder || !mayBeSecret(name, value)) return false;
  return !Object.entries(env).some(([known, plain]) => plain === value && isPublicName(known));
}
