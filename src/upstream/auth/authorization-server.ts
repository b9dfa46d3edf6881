import {
  type AuthorizationServerMetadata,
  checkResourceAllowed,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  type FetchLike,
  type OAuthProtectedResourceMetadata,
} from '@modelcontextprotocol/client';
import type { Credentials } from '../../core/credentials.ts';
import type { RemoteEntry } from '../../core/upstream-entry.ts';
import { NeedsAuthError } from '../transports/transport.ts';

/** Where tokens for an upstream come from. */
export interface AuthorizationServer {
  /** As it calls itself. */
  readonly issuer: string;
  readonly metadata: AuthorizationServerMetadata;
  /** What the tokens are for (RFC 8707). */
  readonly resource: string;
  /** Scopes that the upstream names. */
  readonly scopes: readonly string[] | undefined;
}

/**
 * Asks an upstream where its tokens come from (RFC 9728), and the server there what it can do (RFC 8414, OpenID Connect).
 * @throws Error that says what is missing; TypeError when a server cannot be reached or must not be asked
 */
export async function findAuthorizationServer(
  entry: RemoteEntry,
  fetchFn: FetchLike,
  resourceMetadata?: string,
): Promise<AuthorizationServer> {
  const protectedResource = await readProtectedResource(entry, fetchFn, resourceMetadata);
  const issuer = chooseIssuer(entry, protectedResource);
  return {
    ...(await readServer(issuer, fetchFn)),
    resource: resourceOf(entry, protectedResource),
    scopes: protectedResource?.scopes_supported,
  };
}

/** @throws Error when the server has no metadata or says that it is another one */
export async function readServer(
  issuer: string,
  fetchFn: FetchLike,
): Promise<Pick<AuthorizationServer, 'issuer' | 'metadata'>> {
  const metadata = await discoverAuthorizationServerMetadata(issuer, { fetchFn });
  if (metadata === undefined) throw new Error(`${issuer} has no metadata of an authorization server`);
  return { issuer: metadata.issuer, metadata };
}

/** Whether the upstream says where its tokens come from. */
export async function hasProtectedResource(entry: RemoteEntry, fetchFn: FetchLike): Promise<boolean> {
  const found = await readProtectedResource(entry, fetchFn, undefined).catch(() => undefined);
  return found?.authorization_servers?.[0] !== undefined;
}

/** `undefined` where the upstream has no such metadata: servers of early revisions have none. */
async function readProtectedResource(
  { url }: RemoteEntry,
  fetchFn: FetchLike,
  resourceMetadataUrl: string | undefined,
): Promise<OAuthProtectedResourceMetadata | undefined> {
  try {
    return await discoverOAuthProtectedResourceMetadata(
      httpUrl(url),
      resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl },
      fetchFn,
    );
  } catch (error) {
    if (error instanceof TypeError) throw error;
    return undefined;
  }
}

/** A server of early revisions is its own authorization server. */
function chooseIssuer({ key, url, auth }: RemoteEntry, found: OAuthProtectedResourceMetadata | undefined): string {
  const offered = found?.authorization_servers ?? [new URL('/', httpUrl(url)).href];
  if (auth?.issuer === undefined) return offered[0] ?? new URL('/', httpUrl(url)).href;
  const wanted = offered.find((one) => isSameIssuer(one, auth.issuer!));
  if (wanted !== undefined || found === undefined) return wanted ?? auth.issuer;
  throw new Error(`it names ${offered.join(', ')} for its tokens, and upstreams.${key}.auth.issuer is ${auth.issuer}`);
}

/**
 * A client that was registered by hand is one of one authorization server, and its secret goes to no other (2026-07-28,
 * "Authorization Server Binding"). Where the config does not say of which, it is that of the first time.
 * @throws NeedsAuthError
 */
export function checkBinding({ key, auth }: RemoteEntry, issuer: string, before: Credentials | undefined): void {
  if (auth?.issuer !== undefined || before === undefined || isSameIssuer(before.issuer, issuer)) return;
  throw new NeedsAuthError(
    `it names ${issuer} for its tokens, and it was ${before.issuer}: if that is right, set upstreams.${key}.auth.issuer`,
  );
}

/** One slash at the end makes no difference to anybody. */
export const isSameIssuer = (a: string, b: string): boolean => a.replace(/\/$/, '') === b.replace(/\/$/, '');

function resourceOf({ url }: RemoteEntry, found: OAuthProtectedResourceMetadata | undefined): string {
  const own = new URL(httpUrl(url));
  own.hash = '';
  own.search = '';
  if (found === undefined) return own.href;
  if (!checkResourceAllowed({ requestedResource: own, configuredResource: found.resource }))
    throw new Error(`its metadata is that of another server (${found.resource})`);
  return found.resource;
}

/** A server that is reached by a WebSocket has its metadata on HTTP. */
const httpUrl = (url: string): string => url.replace(/^ws/, 'http');
