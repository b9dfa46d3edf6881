import { readFile } from 'node:fs/promises';
import type { SecureContext, SecureContextOptions } from 'node:tls';
import { ImpossibleError } from '../../../core/impossible-error.ts';
import type { Environment } from '../../../core/settings/environment.ts';
import type { RemoteEntry, UpstreamTls } from '../../../core/settings/upstream-entry.ts';

/** The options of `tls.connect`, agents and requests that an entry's `tls` sets. */
export interface TlsOptions {
  readonly secureContext?: SecureContext;
  readonly servername?: string;
  readonly rejectUnauthorized?: boolean;
}

/**
 * Reads the certificates of an entry. They are put into one context, so that connections can be told apart without them.
 * @throws ImpossibleError for files that cannot be read or used
 */
export async function readTlsOptions({ tls }: Pick<RemoteEntry, 'tls'>): Promise<TlsOptions> {
  if (tls === undefined) return {};
  const { serverName, verify } = tls;
  return {
    ...((tls.ca ?? tls.cert ?? tls.key) !== undefined && { secureContext: await contextOf(tls) }),
    ...(serverName !== undefined && { servername: serverName }),
    ...(!verify && { rejectUnauthorized: false }),
  };
}

/**
 * Returns the TLS options for another server than the entry's own: certificates that the entry trusts are trusted there
 * too, besides the usual ones. Nothing else of its `tls` leaves its server.
 * @throws ImpossibleError for a file that cannot be read or used
 */
export async function readTrust({ tls }: Pick<RemoteEntry, 'tls'>, env: Environment): Promise<TlsOptions> {
  const ca = await pemOf('ca', tls?.ca);
  return ca === undefined ? {} : { secureContext: await contextWith({ ca: [...(await authorities(env)), ca] }) };
}

interface Authorities {
  readonly rootCertificates: readonly string[];
  /** Since Node.js 22.15. */
  readonly getCACertificates?: (type: 'default') => readonly string[];
}

async function authorities({ NODE_EXTRA_CA_CERTS: file = '' }: Environment): Promise<readonly string[]> {
  const { getCACertificates, rootCertificates }: Authorities = await import('node:tls');
  if (getCACertificates !== undefined) return getCACertificates('default');
  // As Node.js does, it goes on without a file that it cannot read.
  const extra = file === '' ? undefined : await readFile(file, 'utf8').catch(() => undefined);
  return extra === undefined ? rootCertificates : [...rootCertificates, extra];
}

async function contextOf(tls: UpstreamTls): Promise<SecureContext> {
  const [ca, cert, key] = await Promise.all([pemOf('ca', tls.ca), pemOf('cert', tls.cert), pemOf('key', tls.key)]);
  return contextWith({ ca, cert, key, passphrase: tls.passphrase });
}

async function contextWith(options: SecureContextOptions): Promise<SecureContext> {
  const { createSecureContext } = await import('node:tls');
  try {
    return createSecureContext(options);
  } catch (error) {
    // Its text speaks of the format; nothing of the key or the passphrase is in it.
    const { code, message } = error as NodeJS.ErrnoException;
    throw new ImpossibleError(`the certificates under "tls" of its entry cannot be used (${code ?? message})`);
  }
}

async function pemOf(name: string, value: string | undefined): Promise<string | undefined> {
  if (value === undefined || value.includes('-----BEGIN')) return value;
  try {
    return await readFile(value, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ImpossibleError(`the file "tls.${name}" of its entry, ${value}, cannot be read (${code})`);
  }
}
