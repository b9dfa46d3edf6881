import { X509Certificate } from 'node:crypto';
import type { ServerConfig } from '../../../config/schema.ts';
import { isLoopbackHost } from '../../../core/addresses/loopback.ts';
import { readCertificate } from '../../../gateway/serving/certificate-files.ts';
import type { Check } from './check.ts';

const SOON_MS = 14 * 86_400_000;

/** Checks who may connect over HTTP, and what keeps others out. */
export function checkAccess(server: ServerConfig): Check[] {
  return [checkProof(server), ...(server.tls === undefined ? [] : [checkCertificate(server.tls)])];
}

function checkProof({ host, tokens, oauth, tls, behindProxy }: ServerConfig): Check {
  const name = 'access';
  if (tokens === undefined && oauth === undefined) {
    const text = `${host} is this machine only, and nobody is asked who they are: web pages are kept out, other users of it are not`;
    return { name, mark: 'ok', text };
  }
  const proofs = [
    ...(tokens === undefined ? [] : [`one of ${tokens.length} tokens`]),
    ...(oauth === undefined ? [] : [`an access token of ${oauth.issuer}`]),
  ];
  const where = isLoopbackHost(host) && !behindProxy ? 'this machine only' : 'others can reach it';
  const way = tls !== undefined ? 'HTTPS' : behindProxy ? 'HTTP behind a proxy' : 'HTTP';
  const text = `${host} (${where}) over ${way}; clients need ${proofs.join(' or ')}`;
  const expired = (tokens ?? []).filter(({ expires }) => expires !== undefined && Date.parse(expires) <= Date.now());
  if (expired.length === 0) return { name, mark: 'ok', text };
  const names = expired.map((token) => `"${token.name}"`).join(', ');
  const fix = `viaduct token revoke ${expired[0]!.name}`;
  return { name, mark: 'warn', text: `${text}; ${names} ${expired.length === 1 ? 'has' : 'have'} expired`, fix };
}

function checkCertificate(tls: NonNullable<ServerConfig['tls']>): Check {
  const name = 'certificate';
  try {
    const { validTo, subject } = new X509Certificate(readCertificate(tls).cert);
    const text = `${tls.cert} (${subject.replaceAll('\n', ', ')}) is valid until ${validTo}`;
    const leftMs = Date.parse(validTo) - Date.now();
    if (leftMs > SOON_MS) return { name, mark: 'ok', text };
    return { name, mark: leftMs > 0 ? 'warn' : 'fail', text, fix: 'renew it: a running gateway reads it again' };
  } catch (error) {
    return { name, mark: 'fail', text: (error as Error).message, fix: 'correct server.tls in the config' };
  }
}
