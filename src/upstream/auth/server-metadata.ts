import {
  type AuthorizationServerMetadata,
  discoverAuthorizationServerMetadata,
  type FetchLike,
} from '@modelcontextprotocol/client';
import type { RemoteEntry } from '../../core/settings/upstream-entry.ts';
import { cutText } from '../../core/text/clean-text.ts';
import { mendingFetch } from './answers/mending-fetch.ts';
import { isLoopbackHost } from './guarded-fetch.ts';

/** An authorization server as it describes itself. */
export interface ServerMetadata {
  readonly issuer: string;
  readonly metadata: AuthorizationServerMetadata;
  /** The address at which the metadata was found, where that is not the issuer's own. */
  readonly foundAt?: string;
}

/**
 * Reads the metadata of an authorization server again, which was accepted before.
 * @throws Error if there is none, or if it belongs to another issuer; TypeError when the server cannot be reached
 */
export async function readServer(
  { issuer, foundAt }: Pick<ServerMetadata, 'issuer' | 'foundAt'>,
  entry: RemoteEntry,
  fetchFn: FetchLike,
): Promise<ServerMetadata> {
  const address = foundAt ?? issuer;
  const metadata = await readMetadata(address, fetchFn);
  if (metadata === undefined) throw new Error(`${address} has no metadata of an authorization server`);
  return { ...judge(entry, issuer, address, metadata), ...(foundAt !== undefined && { foundAt }) };
}

/** The addresses at which an authorization server of an upstream may be. */
export interface Offer {
  readonly addresses: readonly [string, ...string[]];
  /**
   * True if the upstream names the addresses. If not, it follows an early revision, whose server is at the upstream's
   * own origin.
   */
  readonly isNamed: boolean;
}

/**
 * Finds the authorization server of an upstream. `auth.issuer` of the config allows exactly one: one that the upstream
 * names, or the issuer that the metadata of the first named one give in its place. In the second case the metadata at that
 * issuer's own address count, and those of the named one only where the issuer has none.
 * @throws Error that has both addresses; TypeError when a server cannot be reached
 */
export async function findServer(entry: RemoteEntry, offer: Offer, fetchFn: FetchLike): Promise<ServerMetadata> {
  const { addresses, isNamed } = offer;
  const allowed = entry.auth?.issuer;
  const chosen = allowed === undefined ? addresses[0] : addresses.find((one) => isSameIssuer(one, allowed));
  if (chosen !== undefined) return readServer({ issuer: chosen }, entry, fetchFn);
  if (isNamed) await readLinked(entry, allowed!, addresses, fetchFn);
  const own = await readMetadata(allowed!, fetchFn);
  if (own !== undefined) return judge(entry, allowed!, allowed!, own);
  const metadata = await readLinked(entry, allowed!, addresses, fetchFn);
  checkSecret(entry, allowed!, addresses[0]);
  return { issuer: metadata.issuer, metadata, foundAt: addresses[0] };
}

/** Metadata at the address that the upstream names, if they are those of the one issuer that the config allows. */
async function readLinked(
  { key }: RemoteEntry,
  allowed: string,
  addresses: Offer['addresses'],
  fetchFn: FetchLike,
): Promise<AuthorizationServerMetadata> {
  const linked = await readMetadata(addresses[0], fetchFn);
  if (linked !== undefined && isSameIssuer(linked.issuer, allowed)) return linked;
  const itself =
    linked === undefined || linked.issuer === '' ? '' : ` (the first calls itself ${shown(linked.issuer)})`;
  throw new Error(
    `it names ${cutText(addresses.join(', '), 150)} for its tokens${itself}, and upstreams.${key}.auth.issuer is ${allowed}: set it to the one that you trust, or remove it`,
  );
}

function judge(
  entry: RemoteEntry,
  issuer: string,
  address: string,
  metadata: AuthorizationServerMetadata,
): ServerMetadata {
  if (isSameIssuer(metadata.issuer, issuer)) return { issuer: metadata.issuer, metadata };
  if (metadata.issuer === '' && isAllowed(entry, issuer)) return { issuer, metadata: { ...metadata, issuer } };
  throw issuerMismatch(entry, address, metadata.issuer);
}

/** Metadata of another server must not decide where a secret is sent. */
function checkSecret({ key, auth }: RemoteEntry, allowed: string, foundAt: string): void {
  const hasSecret = auth !== undefined && (auth.type !== 'oauth' || auth.clientSecret !== undefined);
  if (!hasSecret || new URL(allowed).origin === new URL(foundAt).origin) return;
  throw new Error(
    `${allowed} has no metadata of an authorization server, and what ${foundAt} says in its name does not decide where the secret of upstreams.${key}.auth goes`,
  );
}

/** Returns whether two addresses are those of one issuer: a slash at the end makes no difference. */
export const isSameIssuer = (a: string, b: string): boolean => plain(a) === plain(b);

const plain = (issuer: string): string => (URL.canParse(issuer) ? new URL(issuer).href : issuer).replace(/\/$/, '');

const isAllowed = ({ auth }: RemoteEntry, issuer: string): boolean =>
  auth?.issuer !== undefined && isSameIssuer(auth.issuer, issuer);

function readMetadata(address: string, fetchFn: FetchLike): Promise<AuthorizationServerMetadata | undefined> {
  return discoverAuthorizationServerMetadata(address, {
    fetchFn: mendingFetch('server', fetchFn),
    // The comparison of the SDK knows nothing of what the config allows.
    skipIssuerValidation: true,
  });
}

/** RFC 8414, section 3.3: the issuer in the metadata must be the one that was asked. */
function issuerMismatch({ key }: RemoteEntry, asked: string, found: string): Error {
  const setting = `upstreams.${key}.auth.issuer`;
  const rule = 'its operator must make them the same (RFC 8414, section 3.3)';
  if (found === '')
    return new Error(
      `the metadata of ${asked} do not say whose they are ("issuer"). If you trust that server, set ${setting} to ${asked}; otherwise ${rule}`,
    );
  const both = `the metadata of ${asked} are those of another issuer, ${shown(found)}`;
  return new Error(
    isAllowable(found)
      ? `${both}. If you trust that issuer, allow it: set ${setting} to ${shown(found)} (and auth.type, if there is no auth yet); otherwise ${rule}`
      : `${both}. ${setting} cannot allow that one, because it is not an https address: ${rule}`,
  );
}

/** Returns true if the config accepts this value as `issuer`. */
function isAllowable(issuer: string): boolean {
  if (!URL.canParse(issuer)) return false;
  const { protocol, hostname } = new URL(issuer);
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));
}

const shown = (issuer: string): string => cutText(issuer, 120);
