import { cutText } from '../../../core/text/clean-text.ts';

/** JSON object as an authorization server or an upstream sent it. */
export type Answer = Readonly<Record<string, unknown>>;

/** Document that Viaduct reads: protected resource metadata, server metadata, a registration, tokens. */
export type AnswerKind = 'resource' | 'server' | 'registration' | 'tokens';

/** An answer that cannot be used. The message is a sentence without its subject, which is the sender. */
export class AnswerFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'AnswerFault';
  }
}

/** A longer lifetime is no lifetime: some servers send a date there. */
const MAX_SECONDS = 1_000_000_000;

/**
 * Returns the members that Viaduct uses, in the types that the standards give them. Members that are null, empty or of
 * an unusable type count as absent, numbers and lists written as text (and the reverse) are converted, and all other
 * members are dropped, so that a fault in them cannot matter.
 * @throws AnswerFault when a member is missing without which nothing can go on
 */
export function mendAnswer(kind: AnswerKind, answer: Answer): Answer {
  return MENDERS[kind](answer);
}

const MENDERS: Readonly<Record<AnswerKind, (answer: Answer) => Answer>> = {
  resource: mendResource,
  server: mendServer,
  registration: mendRegistration,
  tokens: mendTokens,
};

/** RFC 9728, section 2. The caller supplies `resource` if absent. */
function mendResource(answer: Answer): Answer {
  const servers = words(answer.authorization_servers);
  return compact({
    resource: url(answer, 'resource'),
    authorization_servers: servers && usableUrls(servers),
    scopes_supported: words(answer.scopes_supported),
  });
}

function usableUrls(texts: readonly string[]): readonly string[] {
  const usable = texts.filter(isHttpUrl);
  if (usable.length > 0) return usable;
  throw new AnswerFault(`contains no http or https address in "authorization_servers" (${shown(texts[0])})`);
}

/**
 * RFC 8414, section 2. What OpenID Connect Discovery requires besides is filled in, because Viaduct uses none of it.
 * A missing `issuer` becomes an empty text, which the caller must judge.
 */
function mendServer(answer: Answer): Answer {
  const tokenEndpoint = needed(url(answer, 'token_endpoint'), 'token_endpoint');
  return compact({
    issuer: text(answer.issuer) ?? '',
    authorization_endpoint: needed(url(answer, 'authorization_endpoint'), 'authorization_endpoint'),
    token_endpoint: tokenEndpoint,
    registration_endpoint: url(answer, 'registration_endpoint'),
    scopes_supported: words(answer.scopes_supported),
    response_types_supported: list(answer.response_types_supported) ?? ['code'],
    token_endpoint_auth_methods_supported: words(answer.token_endpoint_auth_methods_supported),
    code_challenge_methods_supported: words(answer.code_challenge_methods_supported),
    client_id_metadata_document_supported: flag(answer.client_id_metadata_document_supported),
    authorization_response_iss_parameter_supported: flag(answer.authorization_response_iss_parameter_supported),
    jwks_uri: tokenEndpoint,
    subject_types_supported: [],
    id_token_signing_alg_values_supported: [],
  });
}

/** RFC 7591, section 3.2.1. The redirect uris are those that were sent, regardless of the answer. */
function mendRegistration(answer: Answer): Answer {
  return compact({
    client_id: needed(text(answer.client_id), 'client_id'),
    client_secret: text(answer.client_secret),
    token_endpoint_auth_method: text(answer.token_endpoint_auth_method),
    redirect_uris: [],
  });
}

/** RFC 6749, section 5.1. An error that was sent with status 200 is not changed. */
function mendTokens(answer: Answer): Answer {
  const accessToken = text(answer.access_token);
  if (accessToken === undefined) {
    const error = errorIn(answer);
    if (error !== undefined) return error;
  }
  return compact({
    access_token: needed(accessToken, 'access_token'),
    token_type: text(answer.token_type) ?? 'Bearer',
    expires_in: seconds(answer.expires_in),
    scope: words(answer.scope)?.join(' '),
    refresh_token: refreshTokenIn(answer),
  });
}

/** Returns the refresh token of an answer of which nothing else may be usable. */
export function refreshTokenIn(answer: Answer): string | undefined {
  return text(answer.refresh_token);
}

/**
 * Returns the error that an answer reports (RFC 6749, section 5.2), also where it is in an object, in capitals, or
 * under a name that some vendors use for a refresh token that is no longer valid.
 */
export function errorIn(answer: Answer): { readonly error: string; readonly error_description?: string } | undefined {
  const inner = isAnswer(answer.error) ? answer.error : {};
  const code =
    text(answer.error) ?? text(inner.error) ?? text(inner.code) ?? text(inner.type) ?? text(answer.errorCode);
  if (code === undefined) return undefined;
  const lower = code.toLowerCase();
  const description =
    text(answer.error_description) ??
    text(inner.message) ??
    text(inner.error_description) ??
    text(answer.errorSummary) ??
    text(answer.message);
  return {
    error: STALE_TOKEN.has(lower) ? 'invalid_grant' : /^[a-z_]+$/.test(lower) ? lower : code,
    ...(description !== undefined && { error_description: description }),
  };
}

const STALE_TOKEN: ReadonlySet<string> = new Set(['bad_refresh_token', 'invalid_refresh_token']);

/** Returns true if a value is a JSON object. */
export function isAnswer(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns whether an object is what it should be, and not the answer of some other service at that address. */
export function isAnswerOf(kind: AnswerKind, answer: Answer): boolean {
  return MARKS[kind].length === 0 || MARKS[kind].some((name) => answer[name] !== undefined);
}

const MARKS: Readonly<Record<AnswerKind, readonly string[]>> = {
  resource: ['resource', 'authorization_servers', 'scopes_supported'],
  server: ['issuer', 'authorization_endpoint', 'token_endpoint'],
  registration: [],
  tokens: [],
};

function text(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  const trimmed = typeof value === 'string' ? value.trim() : '';
  return trimmed === '' ? undefined : trimmed;
}

/** Returns a list, one text, or the object with numbered members that PHP makes of a list with gaps. */
function list(value: unknown): readonly string[] | undefined {
  const items = isAnswer(value) ? Object.values(value) : Array.isArray(value) ? value : [value];
  const texts = items.map(text).filter((item) => item !== undefined);
  return texts.length === 0 ? undefined : texts;
}

/** Returns a list of texts that have no space in them, so that several may be in one. */
function words(value: unknown): readonly string[] | undefined {
  return list(value)?.flatMap((item) => item.split(/\s+/));
}

function flag(value: unknown): boolean | undefined {
  const word = typeof value === 'boolean' ? String(value) : text(value)?.toLowerCase();
  if (word === 'true' || word === '1') return true;
  return word === 'false' || word === '0' ? false : undefined;
}

/** Servers whose tokens do not end send 0 or a negative number. */
function seconds(value: unknown): number | undefined {
  const number = Number(text(value));
  return number > 0 && number <= MAX_SECONDS ? number : undefined;
}

function url(answer: Answer, name: string): string | undefined {
  const value = text(answer[name]);
  if (value === undefined || isHttpUrl(value)) return value;
  // An API may be identified by a name instead of its address; the caller checks that name against the upstream's
  // address.
  if (name === 'resource' && URL.canParse(value)) return value;
  throw new AnswerFault(`has a "${name}" that is not an http or https address (${shown(value)})`);
}

const isHttpUrl = (value: string): boolean => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);

function needed<T>(value: T | undefined, name: string): T {
  if (value !== undefined) return value;
  throw new AnswerFault(`has no "${name}", which is required`);
}

const shown = (value: string | undefined): string => cutText(value ?? '', 100);

const compact = (answer: Answer): Answer =>
  Object.fromEntries(Object.entries(answer).filter(([, value]) => value !== undefined));
