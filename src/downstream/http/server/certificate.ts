import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';

/** The server's certificate and its key, in PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/**
 * Tells whether a certificate is for a name or an address; names with a star stand for one label.
 * @throws when it cannot be read
 */
export function nameTest({ cert }: Certificate): (name: string) => boolean {
  const certificate = new X509Certificate(cert);
  return (name) =>
    isIP(name) === 0 ? certificate.checkHost(name) !== undefined : certificate.checkIP(name) !== undefined;
}
