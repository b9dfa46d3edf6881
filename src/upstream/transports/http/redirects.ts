type Method = 'GET' | 'POST' | 'DELETE';

const PERMANENT: ReadonlySet<number> = new Set([301, 308]);
const TEMPORARY: ReadonlySet<number> = new Set([302, 307]);

/** Why a redirect is not followed; completes the sentence "<upstream>: …". */
interface NoTarget {
  readonly problem: string;
}

/** Whether a redirect holds for later messages, too. */
export const isPermanent = (status: number): boolean => PERMANENT.has(status);

/**
 * Whether a response sends a message of this method elsewhere, as it is. What 303 says is to be fetched with GET (RFC 9110,
 * section 15.4.4), so it sends nothing but a GET.
 */
export function isRedirect(status: number, method: Method): boolean {
  return PERMANENT.has(status) || TEMPORARY.has(status) || (status === 303 && method === 'GET');
}

/**
 * Where the messages to one url go. A temporary redirect (302, 303, 307) holds for the message that met it; a permanent
 * one (301, 308) for later messages of its method, until one of them fails. The configured url always stays the start.
 */
export class Redirects {
  readonly #configured: URL;
  readonly #moved = new Map<Method, URL>();

  constructor(configured: URL) {
    this.#configured = configured;
  }

  urlFor(method: Method): URL {
    return this.#moved.get(method) ?? this.#configured;
  }

  /** Where a redirect leads; only within the origin, as headers with secrets go there. */
  targetOf(from: URL, location: string | undefined): URL | NoTarget {
    if (location === undefined || !URL.canParse(location, from.href)) return { problem: 'it redirects to nowhere' };
    const target = new URL(location, from);
    if (target.origin === from.origin) return target;
    const where = `it redirects to another origin (${target.origin})`;
    return { problem: `${where}, which is not followed: give that url in the config` };
  }

  /** The whole way from the configured url to this one is permanent. */
  remember(method: Method, target: URL): void {
    this.#moved.set(method, target);
  }

  /** A message failed: the next one of its method goes to the configured url. */
  forget(method: Method): void {
    this.#moved.delete(method);
  }
}
