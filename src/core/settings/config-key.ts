import type { z } from 'zod';
import type { Environment } from './environment.ts';

/**
 * The part of a config value that is secret:
 * - `text`: all of it.
 * - `header`: all of it, and what follows a scheme such as `Bearer`.
 * - `variable`: as a variable of an environment, unless name and value are plain.
 * - `pem`: if it is PEM text; anything else is the path of a file.
 * - `url`: the passwords in it, see `passwordsIn`.
 * - `digest`: it is none itself, but the secret may have been written in its place.
 */
export type SecretKind = 'text' | 'header' | 'variable' | 'pem' | 'url' | 'digest';

/** The message and the hint about a value. */
export interface KeyProblem {
  /** The problem; the schema's message if absent. */
  readonly message?: string | undefined;
  readonly hint?: string | undefined;
}

/** The name that another program has for a key, with the hint for users who write it. */
export interface ForeignName {
  readonly names: readonly string[];
  readonly message?: string;
  readonly hint: string;
}

/** The surroundings of a value that is checked by a rule. */
export interface RulePlace {
  /** The folder of the config file. */
  readonly folder: string;
  readonly env: Environment;
  /** The value before variables are replaced. */
  readonly written: string;
  /** The mapping that the key is in, before variables are replaced. */
  readonly parent: unknown;
}

/** Everything about one key of the config besides the schema of its value. */
export interface KeyFacts {
  /** The key's meaning, shown by editors and in docs/CONFIG.md. */
  readonly meaning: string;
  /** Continues the meaning in docs/CONFIG.md, where links lead to other pages. */
  readonly more?: string;
  /** Its kind of value in docs/CONFIG.md; derived from the schema if absent. */
  readonly value?: string;
  /** Its default in docs/CONFIG.md if the schema has none. */
  readonly byDefault?: string;
  /** A value that works, shown by editors. */
  readonly example?: unknown;
  /** `${VAR}` is replaced in the text, or in the texts of the list or mapping. */
  readonly takesVariables?: boolean;
  /** The value, or the values in the list or mapping, are secret. */
  readonly secret?: SecretKind;
  /** Returns the passwords in a value whose `secret` is `url`, as they are written and as they are meant. */
  readonly passwordsIn?: (url: string) => readonly string[];
  /** The key may stand under `defaults`, too. */
  readonly isDefaultable?: boolean;
  /** Names that other programs have for it. */
  readonly foreign?: readonly ForeignName[];
  /** Keys that other programs have in it, and that mean nothing here. */
  readonly unused?: readonly string[];
  /** The value is the name of a backend of the section `models`. */
  readonly namesBackend?: boolean;
  /** The variable of the environment that is used if the key is absent; its value is as secret as that of the key. */
  readonly fromVariable?: string;
  /** Explains a value that the schema refuses; `undefined` if there is nothing special to say. */
  explain?(value: unknown): KeyProblem | undefined;
  /** Checks a text beyond its form, such as against the files of this machine, independent of other faults in the file. */
  rule?(value: string, place: RulePlace): { readonly message: string; readonly hint?: string } | undefined;
}

const FACTS = new WeakMap<z.core.$ZodType, KeyFacts>();

/** Returns the schema of a key's value, with everything else that there is to know about the key. */
export function configKey<Schema extends z.ZodType>(schema: Schema, facts: KeyFacts): Schema {
  const { meaning, example } = facts;
  if (facts.secret === 'url' && facts.passwordsIn === undefined)
    throw new Error(`The key "${meaning}" does not say where the passwords in its url are: give it passwordsIn`);
  const described = schema.meta({ description: meaning, ...(example !== undefined && { examples: [example] }) });
  FACTS.set(described, facts);
  return described;
}

/** Returns what `configKey` was told about this schema; `undefined` if it is none of a key. */
export function factsOf(schema: z.core.$ZodType): KeyFacts | undefined {
  return FACTS.get(schema);
}
