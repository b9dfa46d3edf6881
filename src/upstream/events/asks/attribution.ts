/** A call that was sent to an upstream, as far as it matters whose it is. */
export interface TrackedCall {
  /** Our id of the request. */
  readonly requestId: number;
  /** The session that hears what belongs to the call. Each call of a modern client over HTTP has its own. */
  readonly sessionId: string;
  /** The owner of the data in the call. Calls of one owner have no secrets from each other. */
  readonly owner: string;
}

/** The calls that may have caused a message that names none. */
export interface Suspects<Call extends TrackedCall> {
  /** Calls that the upstream works on. */
  readonly open: readonly Call[];
  /** Owners of calls that were given up and not answered: the upstream may still work on them. */
  readonly leftOwners: Iterable<string>;
}

export type Verdict<Call extends TrackedCall> =
  /** It belongs to one of these calls, all of one session. */
  | { readonly kind: 'client'; readonly calls: readonly [Call, ...Call[]] }
  /** No call has caused it. */
  | { readonly kind: 'no-call' }
  /** It belongs to a call that is over. */
  | { readonly kind: 'over' }
  /** It may belong to several clients. `isBusy` tells that calls of several are open; else one was given up. */
  | { readonly kind: 'unclear'; readonly isBusy: boolean };

/**
 * Finds the client that a message belongs to. It belongs to a client only if it can belong to no other: silence of a call is no
 * evidence, its answer is (2025-11-25: servers ask "nested inside" of a call, which waits for what was asked).
 */
export function attribute<Call extends TrackedCall>({ open, leftOwners }: Suspects<Call>): Verdict<Call> {
  const [first, ...others] = open;
  const left = [...leftOwners];
  if (first === undefined) return { kind: left.length === 0 ? 'no-call' : 'over' };
  if (others.some(({ sessionId }) => sessionId !== first.sessionId)) return { kind: 'unclear', isBusy: true };
  if (left.some((owner) => owner !== first.owner)) return { kind: 'unclear', isBusy: false };
  return { kind: 'client', calls: [first, ...others] };
}
