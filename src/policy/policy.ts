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

/** Declares a policy that looks at calls before they leave; a line in `index.ts` puts it in its place. */
export function definePolicy(policy: { readonly name: string; create(): NonNullable<Policy['admit']> }): () => Policy {
  return () => ({ name: policy.name, admit: policy.create() });
}
