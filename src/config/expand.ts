import type { Environment } from '../core/settings/environment.ts';
export interface Expansion {
  readonly text: string;
  /** The variables that were found and put in. */
  readonly used: readonly { readonly name: string; readonly value: string }[];
  /** All variables that the text refers to. */
  readonly names: readonly string[];
  readonly unset: readonly string[];
  /** References that cannot be read, as written. */
  readonly malformed: readonly string[];
}

/**
 * `$${` is a literal `${`. A reference ends at the first `}` and contains no other `${`, without which many unclosed
 * ones would take quadratic time. A `$` before anything else is a plain `$`.
 */
const REFERENCE = /\$\$\{|\$\{((?:[^}$]|\$(?!\{))*)\}|\$\{/g;
const BODY = /^([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s;

/**
 * Replaces `${NAME}` and `${NAME:-default}`; as in a shell, the default also stands for an empty variable. What cannot
 * be replaced stays as it is.
 */
export function expand(text: string, env: Environment): Expansion {
  const used: { name: string; value: string }[] = [];
  const names = new Set<string>();
  const unset = new Set<string>();
  const malformed = new Set<string>();
  const replaced = text.replaceAll(REFERENCE, (reference: string, body?: string) => {
    if (reference === '$${') return '${';
    const [, name, byDefault] = BODY.exec(body ?? '') ?? [];
    if (name === undefined) {
      malformed.add(reference);
      return reference;
    }
    names.add(name);
    const value = lookUp(env, name);
    if (value !== undefined && (value !== '' || byDefault === undefined)) {
      used.push({ name, value });
      return value;
    }
    if (byDefault === undefined) unset.add(name);
    return byDefault ?? reference;
  });
  return { text: replaced, used, names: [...names], unset: [...unset], malformed: [...malformed] };
}

/** An environment is a plain object: `constructor` is no variable of it. */
const lookUp = (env: Environment, name: string): string | undefined =>
  Object.hasOwn(env, name) ? env[name] : undefined;
