import { isIPv6 } from 'node:net';
import { matchesGlob } from '../../core/glob/match-glob.ts';
import { type Glob, parseGlob } from '../../core/glob/parse-glob.ts';

/** Globs of host names or addresses, each with or without a port: `*.example.com`, `10.*`, `nas.local:8080`, `fd00:*`. */
export class HostGlobs {
  readonly #globs: readonly Glob[];

  /** @throws GlobError if one of the globs cannot be used */
  constructor(globs: readonly string[]) {
    this.#globs = globs.map((text) => parseGlob(text.toLowerCase()));
  }

  /** @param host a name or an address without brackets, in lower case */
  matches(host: string, port: number): boolean {
    // Behind an IPv6 address a port could be a part of it.
    const texts = isIPv6(host) ? [host] : [host, `${host}:${port}`];
    return this.#globs.some((glob) => texts.some((text) => matchesGlob(glob, text)));
  }
}
