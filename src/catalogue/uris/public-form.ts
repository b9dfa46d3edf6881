/** A uri and the upstream whose own uri it is. */
export interface OwnedUri {
  /** The upstream's key. */
  readonly key: string;
  /** The uri as the upstream writes it. */
  readonly uri: string;
}

const OWN_SCHEME = 'viaduct';

/**
 * Schemes whose authority is a host of the network, or this machine's files (the "special schemes" of the WHATWG URL
 * Standard). An owner inserted there would name another host or file.
 */
const ADDRESS_SCHEMES: ReadonlySet<string> = new Set(['http', 'https', 'file', 'ftp', 'ws', 'wss']);

/**
 * Schemes of the gateway's own resources, whether or not their workflows are enabled: a public uri must not change when
 * a workflow is enabled.
 */
export const GATEWAY_SCHEMES: ReadonlySet<string> = new Set([OWN_SCHEME, 'checkpoint', 'process']);

/** RFC 3986, section 3.1 and 3.2: a scheme, and what follows the two slashes of an authority. */
const HIERARCHICAL = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/(.*)$/s;
/** The keys of upstreams have such characters only. */
const OWNER = /^([A-Za-z0-9_-]+)\/(.*)$/s;

/**
 * The form in which clients know a uri: `owned` always names the owner (`ui://`, `skill://`, and uris that could be
 * taken for the gateway's); `address` is unchanged for its owner, and leads somewhere without one, too; `plain` is
 * everything else, such as `urn:` and `data:`, which is unchanged for its owner and means nothing without one.
 */
export type UriKind = 'owned' | 'address' | 'plain';

export function kindOfUri(uri: string): UriKind {
  const [, scheme] = HIERARCHICAL.exec(uri) ?? [];
  if (scheme === undefined) return 'plain';
  return ADDRESS_SCHEMES.has(scheme.toLowerCase()) ? 'address' : 'owned';
}

/**
 * Returns the form of an upstream's uri, or uri template, that names its owner. In a scheme of a server's own, the owner's key is
 * the first segment, so that the scheme and the last segments stay: `ui://app/main.html` of `b` is `ui://b/app/main.html`.
 * Any other uri follows a prefix as it is: `viaduct://b/file:///notes.txt`. `readOwnedForm` is the inverse, for every string.
 */
export function ownedForm({ key, uri }: OwnedUri): string {
  const parts = ownParts(uri);
  return parts === undefined ? `${OWN_SCHEME}://${key}/${uri}` : `${parts.scheme}://${key}/${parts.rest}`;
}

/**
 * Returns the owner and the uri that a string names if it is of the form that `ownedForm` makes; `undefined` for strings of other
 * forms. The first segment of any `scheme://` uri looks like a key: the caller must check that an upstream has this key.
 * `viaduct://<key>/` may precede any uri, because clients make such uris from templates.
 */
export function readOwnedForm(text: string): OwnedUri | undefined {
  const [, scheme, rest] = HIERARCHICAL.exec(text) ?? [];
  const [, key, inner] = OWNER.exec(rest ?? '') ?? [];
  if (scheme === undefined || key === undefined || inner === undefined) return undefined;
  if (scheme === OWN_SCHEME) return { key, uri: inner };
  const uri = `${scheme}://${inner}`;
  return ownParts(uri) === undefined ? undefined : { key, uri };
}

function ownParts(uri: string): { readonly scheme: string; readonly rest: string } | undefined {
  const [, scheme, rest] = HIERARCHICAL.exec(uri) ?? [];
  if (scheme === undefined || rest === undefined) return undefined;
  const isInserted = kindOfUri(uri) === 'owned' && !GATEWAY_SCHEMES.has(scheme.toLowerCase());
  return isInserted ? { scheme, rest } : undefined;
}
