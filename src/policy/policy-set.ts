import type { z } from 'zod';
import { POLICIES } from './index.ts';
import type { CreatePolicy, Policy, PolicyDefinition } from './policy.ts';

/** The options of policies by their names, as the config has them. */
export type PolicyOptions = Readonly<Record<string, unknown>>;

/** A policy whose code is there. */
interface LoadedPolicy {
  readonly name: string;
  readonly create: CreatePolicy;
}

/** The policies of a gateway, which follow its config. */
export class PolicySet {
  readonly policies: readonly Policy[];
  #options: PolicyOptions;

  private constructor(loaded: readonly LoadedPolicy[], options: PolicyOptions) {
    this.#options = options;
    this.policies = loaded.map(({ name, create }) => ({ name, ...create(() => this.#options[name]) }));
  }

  /**
   * Loads the code of policies and creates them.
   * @param options their options in the config
   */
  static async load(options: PolicyOptions, definitions = POLICIES): Promise<PolicySet> {
    const loading = definitions.map(async (policy) => ({ name: policy.name, create: await policy.load() }));
    return new PolicySet(await Promise.all(loading), options);
  }

  /** Goes over to other options. Calls that have begun keep the options that they began with. */
  configure(options: PolicyOptions): void {
    this.#options = options;
  }
}

/** Returns the schemas of the options of the policies that have any, by their names. */
export function policyOptions(
  definitions: readonly PolicyDefinition[] = POLICIES,
): Readonly<Record<string, z.ZodType>> {
  return Object.fromEntries(
    definitions.flatMap(({ name, options }) => (options === undefined ? [] : [[name, options] as const])),
  );
}
