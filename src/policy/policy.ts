import type { z } from 'zod';
import type { GatewayError } from '../core/errors.ts';
import type { CallTarget, Descriptor, ListSource, NamedProvider, ProviderCall } from '../core/providers/provider.ts';
import type { Reply } from '../wire/reply.ts';

/** A call that has found its provider. */
export interface RoutedCall {
  readonly provider: NamedProvider & CallTarget & Pick<ListSource, 'withheld'>;
  readonly descriptor: Descriptor | undefined;
  readonly call: ProviderCall;
}

/**
 * A step around a call: it lets the call pass or says why not, or looks at the answer. Policies answer at once; what
 * takes longer happens beside the call, never in front of it.
 */
export interface Policy {
  readonly name: string;
  admit?(call: RoutedCall): GatewayError | undefined;
  /** Asked when a call leaves: who wants to see its answer gives a function, which returns what the client gets. */
  inspect?(call: RoutedCall): ((reply: Reply) => Reply) | undefined;
}

/** The functions of a policy. */
export type PolicySteps = Omit<Policy, 'name'>;

/** Makes a policy. `options` returns its options as the config has them now: ask at each call, and each call keeps what it got. */
export type CreatePolicy<Options = unknown> = (options: () => Options) => PolicySteps;

/**
 * Everything that the rest of the program knows about a policy. It is read at every start, so code that is not small is
 * imported by `load`.
 */
export interface PolicyDefinition<Options = unknown> {
  readonly name: string;
  /** The strict schema of its options under `policies.<name>` in the config, with defaults; absent if it has none. */
  readonly options?: z.ZodType<Options>;
  /** Loads its code. */
  load(): Promise<CreatePolicy<Options>>;
}

/** Declares a policy; a line in `index.ts` puts it in its place. */
export function definePolicy<Options = unknown>(definition: PolicyDefinition<Options>): PolicyDefinition {
  return definition as PolicyDefinition;
}
