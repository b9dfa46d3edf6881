import { asObject } from '../../core/json/as-object.ts';
import { canonicalJson } from '../../core/json/canonical.ts';
import type { Caller, ClientDirectory, ClientSession } from '../../core/providers/provider.ts';
import { ALL_ASK_CAPABILITIES, askCapabilities } from '../../era/capabilities.ts';
import { type PassedCapabilities, passedCapabilities } from '../../era/extensions.ts';
import { parsedBytes } from '../../wire/bytes.ts';
import { Upstream } from '../upstream.ts';
import type { UpstreamOptions } from '../upstream-options.ts';

export interface MemberHost {
  /** Returns true if all clients use this process. */
  isForAll(member: Member): boolean;
  /** True if a process belongs to one client, or to several that have something in common. */
  readonly isOfOneClient: boolean;
  onOffer(member: Member): void;
}

/** One process of an upstream, or one session with it, and the clients that have used it. */
export class Member {
  readonly upstream: Upstream;
  readonly owners = new Set<string>();
  readonly #host: MemberHost;
  /** Gives its place back, where it has taken one. */
  #leave: (() => void) | undefined;
  #wasUsed = false;
  /** The capabilities declared by the only client, if it is known to be the only one; `#passed` holds what is passed on. */
  #declared: Readonly<Record<string, unknown>> | undefined;
  #passed: PassedCapabilities | undefined;

  constructor(options: UpstreamOptions, host: MemberHost) {
    this.#host = host;
    const { directory } = options;
    const own: ClientDirectory = {
      get: (sessionId) => directory.get(sessionId),
      sole: (provider) => (host.isForAll(this) ? directory.sole(provider) : this.#soleOwner(directory)),
    };
    this.upstream = new Upstream({
      ...options,
      directory: own,
      capabilities: () => this.#told(),
      passed: () => (this.#isExact ? this.#passed : undefined) ?? options.passed(),
      // The calls of one who is a client only by the way he came keep nothing between them (2026-07-28).
      isRenewable: () => host.isOfOneClient && !host.isForAll(this) && this.owners.size <= 1,
      onOffer: () => host.onOffer(this),
    });
  }

  /** Sets how to give back its place among the processes that belong to some clients only; it is given back when it ends. */
  keep(leave: () => void): void {
    this.#leave = leave;
  }

  end(reason: string): Promise<void> {
    this.#leave?.();
    return this.upstream.stop(reason);
  }

  /** The caller uses it from now on. */
  claim({ sessionId, client }: Caller): void {
    this.#wasUsed = true;
    this.owners.add(client.clientId);
    // A client by the way it came may be several programs, each with capabilities of its own.
    const isOne = sessionId === client.clientId && this.owners.size === 1;
    const declared = isOne ? asObject(parsedBytes(client.capabilities)) : undefined;
    this.#declared = declared && askCapabilities(declared);
    this.#passed = declared && passedCapabilities(declared);
  }

  /**
   * Returns true if the process can become the caller's own: it is unused, and nothing was promised that the
   * caller cannot do.
   */
  suits(caller: Caller): boolean {
    if (this.#wasUsed) return false;
    const { state } = this.upstream.shown;
    if (state.name === 'idle' || this.upstream.era() === 'modern') return true;
    const { capabilities, clientId } = caller.client;
    const told = caller.sessionId === clientId ? askCapabilities(asObject(parsedBytes(capabilities))) : undefined;
    return told === undefined || canonicalJson(told) === canonicalJson(ALL_ASK_CAPABILITIES);
  }

  get #isExact(): boolean {
    return this.#host.isOfOneClient && !this.#host.isForAll(this) && this.owners.size === 1;
  }

  #told(): Readonly<Record<string, unknown>> {
    return (this.#isExact ? this.#declared : undefined) ?? ALL_ASK_CAPABILITIES;
  }

  #soleOwner(directory: ClientDirectory): ClientSession | undefined {
    const [owner] = this.owners;
    return owner === undefined || this.owners.size > 1 ? undefined : directory.get(owner);
  }
}
