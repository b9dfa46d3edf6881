import type { Introduction } from '../../core/handshake/introduce.ts';
import type { Guest, GuestBook } from '../../downstream/local-socket.ts';
import type { Lifetime } from './lifetime.ts';

/** The connections of a shared gateway: it lives for them, and processes that it starts use what the newest of them brought. */
export class Guests implements GuestBook {
  readonly #lifetime: Pick<Lifetime, 'arrive' | 'leave'>;
  readonly #env: Record<string, string | undefined>;
  readonly #ofStarter: string | undefined;
  /** SSH agents of the clients that have one, in the order in which they came. */
  readonly #agents = new Map<Guest, string>();

  /** @param env the environment of the processes that the gateway starts */
  constructor(lifetime: Pick<Lifetime, 'arrive' | 'leave'>, env: Record<string, string | undefined>) {
    this.#lifetime = lifetime;
    this.#env = env;
    this.#ofStarter = env.SSH_AUTH_SOCK;
  }

  arrived(): Guest | undefined {
    if (!this.#lifetime.arrive()) return undefined;
    const guest: Guest = {
      introduced: (introduction) => this.#onIntroduced(guest, introduction),
      left: () => this.#onLeft(guest),
    };
    return guest;
  }

  #onIntroduced(guest: Guest, { sshAuthSock }: Introduction): void {
    if (sshAuthSock === undefined) return;
    this.#agents.set(guest, sshAuthSock);
    this.#choose();
  }

  #onLeft(guest: Guest): void {
    this.#agents.delete(guest);
    this.#choose();
    this.#lifetime.leave();
  }

  /** An agent ends with the login that it came with: the newest one lives longest. */
  #choose(): void {
    const newest = [...this.#agents.values()].at(-1) ?? this.#ofStarter;
    if (newest === undefined) delete this.#env.SSH_AUTH_SOCK;
    else this.#env.SSH_AUTH_SOCK = newest;
  }
}
