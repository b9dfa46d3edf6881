import { type SecretText, secretInText, secretOfArgument, secretOfNamed } from './find-secrets.ts';

/** A secret that stood in an agent's file. */
export interface LiftedSecret {
  /** The variable that stands for it now. */
  readonly variable: string;
  /** Its place, such as `env.API_KEY`. */
  readonly place: string;
}

/** The parts of an entry that may have secrets in them. */
export interface SecretParts {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly url: string | undefined;
  readonly clientSecret: string | undefined;
}

export interface Lifted {
  readonly parts: SecretParts;
  readonly secrets: readonly LiftedSecret[];
}

/**
 * Returns the parts with `${VARIABLE}`, or what else is to stand there, in the place of each secret. Variables are named
 * after the entry's key.
 */
export function liftSecrets(
  key: string,
  { args, env, headers, url, clientSecret }: SecretParts,
  standIn: (variable: string) => string,
): Lifted {
  const lift = new SecretLift(key, standIn);
  return {
    parts: {
      args: args.map((arg, index) => lift.replace(`args[${index}]`, arg, secretOfArgument(arg, args[index - 1]))),
      env: mapNamed(env, (name, value) => lift.replace(`env.${name}`, value, secretOfNamed(name, value))),
      headers: mapNamed(headers, (name, value) => lift.replace(`headers.${name}`, value, secretOfNamed(name, value))),
      url: url === undefined ? undefined : lift.replace('url', url, secretInText(url)),
      clientSecret:
        clientSecret === undefined
          ? undefined
          : lift.replace('auth.clientSecret', clientSecret, secretOfNamed('client_secret', clientSecret)),
    },
    secrets: lift.secrets,
  };
}

class SecretLift {
  readonly secrets: LiftedSecret[] = [];
  readonly #prefix: string;
  /** The same secret is the same variable. */
  readonly #variables = new Map<string, string>();

  readonly #standIn: (variable: string) => string;

  constructor(key: string, standIn: (variable: string) => string) {
    this.#prefix = constantCase(key);
    this.#standIn = standIn;
  }

  replace(place: string, text: string, found: SecretText | undefined): string {
    if (found === undefined) return text;
    const { before, secret, after, name, next } = found;
    const variable = this.#variables.get(secret) ?? this.#newVariable(name ?? 'secret');
    this.#variables.set(secret, variable);
    this.secrets.push({ variable, place });
    return before + this.#standIn(variable) + this.replace(place, after, next);
  }

  #newVariable(name: string): string {
    const own = constantCase(name);
    const isNamedAfterKey = own.replaceAll('_', '').startsWith(this.#prefix.replaceAll('_', ''));
    const base = isNamedAfterKey ? own : `${this.#prefix}_${own}`;
    const legal = /^[A-Z_]/.test(base) ? base : `MCP_${base}`;
    const taken = new Set(this.#variables.values());
    let variable = legal;
    for (let count = 2; taken.has(variable); count++) variable = `${legal}_${count}`;
    return variable;
  }
}

function constantCase(text: string): string {
  return text
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
    .toUpperCase();
}

function mapNamed(
  values: Readonly<Record<string, string>>,
  change: (name: string, value: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(name, value)]));
}
