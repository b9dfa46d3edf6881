import { randomBytes } from 'node:crypto';
import {
  type AuthorizationServerMetadata,
  exchangeAuthorization,
  type FetchLike,
  registerClient,
  startAuthorization,
} from '@modelcontextprotocol/client';
import type { LoginAuth, RemoteEntry } from '../../core/settings/upstream-entry.ts';
import type { ClientIdentity, CredentialStore, Credentials } from '../../core/stores/credentials.ts';
import { cutText } from '../../core/text/clean-text.ts';
import { unlessAborted } from '../../core/timing/unless-aborted.ts';
import { refusalOfRegistration, refusalOfTokens } from './answers/login-faults.ts';
import { mendingFetch } from './answers/mending-fetch.ts';
import { type AuthorizationServer, checkBinding, findAuthorizationServer } from './authorization-server.ts';
import { type Callback, listenForCallback } from './callback-server.ts';
import { readChallenge } from './challenge.ts';
import { clientInformationOf } from './client-identity.ts';
import { type GuardOptions, guardedFetch, isLoopbackHost } from './guarded-fetch.ts';
import { isSameIssuer } from './server-metadata.ts';
import type { Challenge } from './token-source.ts';
import { tokensOf, unionOfScopes } from './tokens.ts';

const PING = '{"jsonrpc":"2.0","id":"login-check","method":"ping"}';

export interface LoginOptions {
  readonly entry: RemoteEntry;
  readonly auth: LoginAuth;
  readonly store: CredentialStore;
  readonly env: GuardOptions['env'];
  readonly signal: AbortSignal;
  /** The one url that the user must open. */
  onUrl(url: string): void;
  onSecrets(secrets: readonly string[]): void;
}

/**
 * Gets tokens for an upstream from its authorization server, with the user's leave given in a browser (OAuth 2.1: code,
 * PKCE with S256, `resource`, `iss`), and keeps them.
 * @throws Error that says what went wrong
 */
export async function login(options: LoginOptions): Promise<void> {
  const { entry, auth, store, signal } = options;
  const fetchFn = withSignal(guardedFetch({ entry, env: options.env }), signal);
  const challenge = await askForChallenge(options, fetchFn);
  const server = await findAuthorizationServer(entry, fetchFn, challenge.resourceMetadata);
  checkServer(server.metadata);
  const before = await store.load(entry);
  if (auth.clientId !== undefined) checkBinding(entry, server.issuer, before);
  const known = before !== undefined && isSameIssuer(before.issuer, server.issuer) ? before.client : undefined;
  const state = randomBytes(24).toString('base64url');
  const callback = await listenForCallback(portsFor(auth, known), state);
  try {
    const scope = await scopeFor(options, challenge, server);
    const client = await chooseClient({ entry, auth, server, known, callback, scope, fetchFn });
    const credentials = await authorize({ ...options, server, client, callback, scope, state, fetchFn });
    await store.exclusively(entry, () => store.save(entry, credentials));
    store.want(entry, {});
  } finally {
    callback.close();
  }
}

function withSignal(fetchFn: FetchLike, signal: AbortSignal): FetchLike {
  return (url, init) => fetchFn(url, { ...init, signal });
}

/** Asks the upstream for its challenge to an unknown client, and adds what it has told the gateway before. */
async function askForChallenge({ entry, store }: LoginOptions, fetchFn: FetchLike): Promise<Challenge> {
  const wanted = store.wanted(entry);
  const headers = {
    ...entry.headers,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  };
  const response = await fetchFn(entry.url.replace(/^ws/, 'http'), { method: 'POST', headers, body: PING });
  const said = readChallenge(response.headers.get('www-authenticate') ?? undefined);
  const resourceMetadata = said.resourceMetadata ?? wanted.resourceMetadata;
  return { isBearer: said.isBearer, scope: unionOfScopes(wanted.scope, said.scope), resourceMetadata };
}

/**
 * Throws if the server does not support PKCE: without it, a stolen code is as good as a login (2026-07-28,
 * "Authorization Code Protection").
 */
function checkServer({ issuer, code_challenge_methods_supported: methods }: AuthorizationServerMetadata): void {
  if (methods?.includes('S256') === true) return;
  throw new Error(`${issuer} does not say that it knows PKCE with S256, and without it no login is safe`);
}

/** A registered client may come back only to the port that it was registered with. */
function portsFor({ callbackPort }: LoginAuth, known: ClientIdentity | undefined): number[] {
  if (callbackPort !== undefined) return [callbackPort];
  return known?.redirectUri === undefined ? [0] : [Number(new URL(known.redirectUri).port), 0];
}

/**
 * Returns the scopes to ask for: those of the config, else those of the upstream, plus all earlier ones so that none
 * are lost.
 */
async function scopeFor(
  { entry, auth, store }: LoginOptions,
  challenge: Challenge,
  { scopes, metadata }: AuthorizationServer,
): Promise<string | undefined> {
  const before = store.note(entry)?.scope;
  const first = auth.scopes?.join(' ') ?? challenge.scope ?? scopes?.join(' ');
  const scope = unionOfScopes(first, auth.scopes === undefined ? undefined : store.wanted(entry).scope, before);
  const isOffered = metadata.scopes_supported?.includes('offline_access') === true;
  return scope === undefined || !isOffered ? scope : unionOfScopes(scope, 'offline_access');
}

interface ClientChoice {
  readonly entry: RemoteEntry;
  readonly auth: LoginAuth;
  readonly server: AuthorizationServer;
  readonly known: ClientIdentity | undefined;
  readonly callback: Callback;
  readonly scope: string | undefined;
  readonly fetchFn: FetchLike;
}

/**
 * Chooses the client in the order of the specification: the client that the config names, a metadata document, a
 * registration.
 */
async function chooseClient(choice: ClientChoice): Promise<ClientIdentity> {
  const { auth, server, known, callback, scope } = choice;
  const { metadata } = server;
  if (auth.clientId !== undefined) return { id: auth.clientId };
  if (auth.clientMetadataUrl !== undefined && metadata.client_id_metadata_document_supported === true)
    return { id: auth.clientMetadataUrl };
  if (known?.redirectUri === callback.redirectUri && unionOfScopes(known.scope, scope) === known.scope) return known;
  if (metadata.registration_endpoint === undefined)
    throw new Error(
      `${server.issuer} registers no clients by itself: register one there and set upstreams.${choice.entry.key}.auth.clientId`,
    );
  return register(choice);
}

async function register({ entry, server, callback, scope, fetchFn }: ClientChoice): Promise<ClientIdentity> {
  const { redirectUri } = callback;
  const { metadata, issuer } = server;
  const registered = await registerClient(issuer, {
    metadata,
    fetchFn: mendingFetch('registration', fetchFn),
    clientMetadata: {
      client_name: 'Viaduct',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      application_type: 'native',
      token_endpoint_auth_method: authMethodFor(metadata),
      ...(scope !== undefined && { scope }),
    },
  }).catch((error: unknown) => {
    throw refusalOfRegistration(error, issuer, entry.key);
  });
  const { client_id: id, client_secret: secret, token_endpoint_auth_method: authMethod } = registered;
  return {
    id,
    redirectUri,
    ...(scope !== undefined && { scope }),
    ...(secret !== undefined && { secret }),
    ...(authMethod !== undefined && { authMethod }),
  };
}

/** A program on a user's machine keeps no secrets, so it has none where that is possible. */
function authMethodFor({ token_endpoint_auth_methods_supported: methods }: AuthorizationServerMetadata): string {
  const usable = ['none', 'client_secret_basic', 'client_secret_post'];
  return (methods && usable.find((method) => methods.includes(method))) ?? 'none';
}

interface Authorizing extends LoginOptions {
  readonly server: AuthorizationServer;
  readonly client: ClientIdentity;
  readonly callback: Callback;
  readonly scope: string | undefined;
  readonly state: string;
  readonly fetchFn: FetchLike;
}

async function authorize(options: Authorizing): Promise<Credentials> {
  const { auth, server, client, callback, scope, state, fetchFn, signal } = options;
  const { issuer, metadata, resource, foundAt } = server;
  const clientInformation = clientInformationOf(client, auth);
  const { authorizationUrl, codeVerifier } = await startAuthorization(issuer, {
    metadata,
    clientInformation,
    redirectUrl: callback.redirectUri,
    state,
    resource,
    ...(scope !== undefined && { scope }),
  });
  options.onSecrets([codeVerifier, state, ...(client.secret === undefined ? [] : [client.secret])]);
  checkAuthorizationUrl(authorizationUrl);
  options.onUrl(authorizationUrl.href);
  const code = readAnswer(await unlessAborted(callback.answer, signal), metadata);
  options.onSecrets([code]);
  const answer = await exchangeAuthorization(issuer, {
    metadata,
    clientInformation,
    authorizationCode: code,
    codeVerifier,
    redirectUri: callback.redirectUri,
    resource,
    fetchFn: mendingFetch('tokens', fetchFn),
    iss: metadata.issuer,
  }).catch((error: unknown) => {
    throw refusalOfTokens(error, issuer);
  });
  const tokens = tokensOf(answer, scope);
  options.onSecrets([tokens.accessToken, ...(tokens.refreshToken === undefined ? [] : [tokens.refreshToken])]);
  return { issuer, resource, client, tokens, ...(foundAt !== undefined && { foundAt }) };
}

/** Checks the url, because the system opens it with the program that is registered for such urls. */
function checkAuthorizationUrl(url: URL): void {
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname));
  if (!isSafe || url.username !== '' || url.password !== '')
    throw new Error(
      `the address for the login is not opened: it must be https, without a user (${url.protocol}//${url.host})`,
    );
}

/** Returns the code. Who speaks is checked first: the words of another server are not even shown (RFC 9207). */
function readAnswer(answer: URLSearchParams, metadata: AuthorizationServerMetadata): string {
  checkSpeaker(answer.get('iss') ?? undefined, metadata);
  const code = answer.get('code');
  if (code !== null) return code;
  const said = [answer.get('error'), answer.get('error_description')].filter((text) => text !== null).join(': ');
  throw new Error(`${metadata.issuer} gave no leave: ${said === '' ? 'without saying why' : cutText(said, 500)}`);
}

/** RFC 9207, section 2.4, where a slash at the end makes no difference. */
function checkSpeaker(
  iss: string | undefined,
  { issuer, authorization_response_iss_parameter_supported: saysIss }: AuthorizationServerMetadata,
): void {
  if (iss === undefined ? saysIss !== true : isSameIssuer(iss, issuer)) return;
  const speaker = iss === undefined ? 'does not say who gave it (no "iss")' : `is from ${cutText(iss, 200)} ("iss")`;
  throw new Error(`the answer in the browser ${speaker}, and the login was at ${issuer}: it is not used. Log in again`);
}
