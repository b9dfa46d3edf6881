import {
  checkResourceAllowed,
  discoverOAuthProtectedResourceMetadata,
  type FetchLike,
  type OAuthProtectedResourceMetadata,
} from '@modelcontextprotocol/client';
import type { RemoteEntry } from '../../core/settings/upstream-entry.ts';
import type { Credentials } from '../../core/stores/credentials.ts';
import { cutText } from '../../core/text/clean-text.ts';
import { NeedsAuthError } from '../transports/transport.ts';
import { AnswerFault } from './answers/mend-answer.ts';
import { mendingFetch } from './answers/mending-fetch.ts';
import { findServer, isSameIssuer, type Offer, type ServerMetadata } from './server-metadata.ts';

/** The authorization server that issues the tokens for an upstream. */
export interface AuthorizationServer extends ServerMetadata {
  /** The resource that the tokens are for (RFC 8707). */
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
  const resource = resourceOf(entry, protectedResource);
  return {
    ...(await findServer(entry, offerOf(entry, protectedResource), fetchFn)),
    resource,
    scopes: protectedResource?.scopes_supported,
  };
}

/** Returns true if the upstream names an authorization server. */
export async function hasProtectedResource(entry: RemoteEntry, fetchFn: FetchLike): Promise<boolean> {
  const found = await readProtectedResource(entry, fetchFn, undefined).catch(() => undefined);
  return found?.authorization_servers?.[0] !== undefined;
}

/** `undefined` if the upstream has no such metadata: servers of early revisions have none. */
async function readProtectedResource(
  entry: RemoteEntry,
  fetchFn: FetchLike,
  resourceMetadataUrl: string | undefined,
): Promise<OAuthProtectedResourceMetadata | undefined> {
  try {
    return await discoverOAuthProtectedResourceMetadata(
      httpUrl(entry.url),
      resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl },
      mendingFetch('resource', fetchFn, { defaults: { resource: addressOf(entry).href } }),
    );
  } catch (error) {
    if (error instanceof TypeError || error instanceof AnswerFault) throw error;
    return undefined;
  }
}

/** A server of early revisions is its own authorization server. */
function offerOf({ url }: RemoteEntry, found: OAuthProtectedResourceMetadata | undefined): Offer {
  const [first, ...others] = found?.authorization_servers ?? [];
  if (first !== undefined) return { addresses: [first, ...others], isNamed: true };
  return { addresses: [new URL('/', httpUrl(url)).href], isNamed: false };
}

/**
 * A client that was registered by hand is one of one authorization server, and its secret goes to no other (2026-07-28,
 * "Authorization Server Binding"). If the config does not say of which, it is that of the first time.
 * @throws NeedsAuthError
 */
export function checkBinding({ key, auth }: RemoteEntry, issuer: string, before: Credentials | undefined): void {
  if (auth?.issuer !== undefined || before === undefined || isSameIssuer(before.issuer, issuer)) return;
  throw new NeedsAuthError(
    `it names ${issuer} for its tokens, and it was ${before.issuer}: if that is right, set upstreams.${key}.auth.issuer`,
  );
}

/** One slash at the end of either address makes no difference. */
function resourceOf(entry: RemoteEntry, found: OAuthProtectedResourceMetadata | undefined): string {
  const own = addressOf(entry);
  if (found === undefined) return own.href;
  const requestedResource = new URL(own);
  if (!own.pathname.endsWith('/')) requestedResource.pathname += '/';
  if (checkResourceAllowed({ requestedResource, configuredResource: found.resource })) return found.resource;
  throw new Error(
    `its metadata are those of another server: they name ${cutText(found.resource, 120)} as "resource", and its address is ${own.href}. ` +
      `Its operator must name that address there (RFC 9728, section 3.3); if ${cutText(found.resource, 120)} is the server that you mean, set upstreams.${entry.key}.url to it. ` +
      'A token that you have already can be given under headers',
  );
}

/** Returns the address of an upstream as RFC 8707 has it. */
function addressOf({ url }: RemoteEntry): URL {
  const own = new URL(httpUrl(url));
  own.hash = '';
  own.search = '';
  return own;
}

/** Returns the HTTP url of a server: one that is reached by a WebSocket has its metadata on HTTP. */
const httpUrl = (url: string): string => url.replace(/^ws/, 'http');
