import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { withTimeout } from '../../core/timing/timeout.ts';

/** Returns all addresses of a host. @throws the system's error if it has none */
export type LookUp = (host: string) => Promise<readonly string[]>;

const KEPT_MS = 5_000;
const LIMIT_MS = 5_000;
const MAX_KEPT = 500;

/** Looks up hosts, and keeps what it has found for some seconds: pages make many requests to the same host. */
export class HostLookup {
  readonly #lookUp: LookUp;
  readonly #now: () => number;
  readonly #known = new Map<string, { readonly addresses: Promise<readonly string[]>; readonly until: number }>();

  constructor(lookUp: LookUp = lookUpAll, now: () => number = () => performance.now()) {
    this.#lookUp = lookUp;
    this.#now = now;
  }

  /**
   * Returns all addresses of a host.
   * @param host as a URL has it: a name or an address, IPv6 in brackets
   * @throws Error that says why it has none
   */
  async addressesOf(host: string): Promise<readonly string[]> {
    const address = host.replace(/^\[|\]$/g, '');
    if (isIP(address) !== 0) return [address];
    // Browsers do not ask for these.
    if (isLocalName(host)) return ['127.0.0.1', '::1'];
    return this.#remembered(host);
  }

  #remembered(host: string): Promise<readonly string[]> {
    const known = this.#known.get(host);
    if (known !== undefined && known.until > this.#now()) return known.addresses;
    const late = () => new Error('its name was not resolved in time');
    const addresses = withTimeout(this.#lookUp(host), LIMIT_MS, late);
    this.#known.delete(host);
    this.#known.set(host, { addresses, until: this.#now() + KEPT_MS });
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MAX_KEPT) break;
      this.#known.delete(oldest);
    }
    addresses.catch(() => undefined); // the caller gets the error
    return addresses;
  }
}

/** Returns whether a name always means this machine (RFC 6761). */
export function isLocalName(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return name === 'localhost' || name.endsWith('.localhost');
}

async function lookUpAll(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true, verbatim: true }).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`its name cannot be resolved (${error.code ?? error.message})`, { cause: error });
  });
  return found.map(({ address }) => address);
}
