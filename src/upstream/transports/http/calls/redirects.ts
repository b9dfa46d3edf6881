type Method = 'GET' | 'POST' | 'DELETE';

const PERMANENT: ReadonlySet<number> = new Set([301, 308]);
const TEMPORARY: ReadonlySet<number> = new Set([302, 307]);

/** The reason why a redirect is not followed; completes the sentence "<upstream>: …". */
interface NoTarget {
  readonly problem: string;
}

/** Returns true if a redirect also holds for later messages. */
export const isPermanent = (status: number): boolean => PERMANENT.has(status);

/**
 * Returns true if a response redirects a message of this method unchanged. The target of a 303 must be fetched with GET
 * (RFC 9110, section 15.4.4), so a 303 redirects only a GET.
 */
export function isRedirect(status: number, method: Method): boolean {
  return PERMANENT.has(status) || TEMPORARY.has(status) || (status === 303 && method === 'GET');
}

/**
 * The redirects of the messages to one url. A temporary redirect (302, 303, 307) holds for the message that met it; a
 * permanent one (301, 308) holds for later messages of its method until one of them fails. The configured url is always
 * tried first again.
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

  /** Returns the target of a redirect. It must be within the origin, because headers with secrets are sent there. */
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
