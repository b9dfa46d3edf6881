import type { ServerResponse } from 'node:http';
import type { Principal } from '../../../core/access/principal.ts';
import { isLoopbackHost } from '../../../core/addresses/loopback.ts';
import { isMetadataPath, resourceMetadata } from '../auth/resource-metadata.ts';
import type { HttpServerOptions, HttpSettings } from './server-options.ts';

/** The path on which the gateway says how it is. */
export const HEALTH_PATH = '/health';

/**
 * Returns the metadata that says where to get a token, as JSON; `undefined` if the path is not that of the metadata.
 * Clients without a token must be able to read it.
 */
export function metadataAt(path: string, { oauth }: HttpSettings['auth']): string | undefined {
  if (oauth === undefined || !isMetadataPath(path, oauth.rules.audience)) return undefined;
  return resourceMetadata(oauth.rules);
}

/**
 * Returns the JSON of the health page. On addresses other than loopback, only authenticated clients learn more than
 * that the gateway runs.
 * @param sessions the number of sessions
 */
export function healthFor(
  { id, access }: Principal,
  { host, health }: Pick<HttpServerOptions, 'host' | 'health'>,
  sessions: number,
): string {
  const isTrusted = access === undefined && (id !== '' || isLoopbackHost(host));
  return JSON.stringify({ ok: true, sessions, ...(isTrusted ? health() : {}) });
}

/** Answers with a JSON text. */
export function answerJson(response: ServerResponse, body: string): void {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  response.writeHead(200, headers).end(body);
}
