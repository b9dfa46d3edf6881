import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ServerConfig } from '../../config/schema.ts';
import { watchConfig } from '../../config/watch.ts';
import type { Certificate } from '../../downstream/http/server/certificate.ts';
import type { Log } from '../../telemetry/log.ts';

type Files = NonNullable<ServerConfig['tls']>;

/**
 * Reads a certificate and its key.
 * @throws Error that says which files do not fit together
 */
export function readCertificate({ cert, key }: Files): Certificate {
  try {
    const certificate = { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
    if (new X509Certificate(certificate.cert).checkPrivateKey(createPrivateKey(certificate.key))) return certificate;
    throw new Error('the key is that of another one');
  } catch (cause) {
    const reason = (cause as Error).message;
    throw new Error(`server.tls: ${cert} and ${key} are not a certificate and its key: ${reason}`, { cause });
  }
}

export interface CertificateWatch {
  /**
   * Goes over to other files.
   * @throws Error when they do not fit together; the last ones stay
   */
  follow(files: Files): void;
  close(): Promise<void>;
}

/** Calls `onCertificate` with what the files have after a change; files that do not fit together change nothing but the log. */
export function watchCertificate(
  files: Files,
  onCertificate: (certificate: Certificate) => void,
  log: Log,
): CertificateWatch {
  let current = files;
  const onChange = () => {
    try {
      onCertificate(readCertificate(current));
      log.info({ event: 'certificate' }, 'the certificate was read again');
    } catch (error) {
      log.error({ event: 'certificate', error }, 'the certificate cannot be used; the last one stays');
    }
  };
  // They are written one after the other: the second change brings what fits together.
  const watch = () => [current.cert, current.key].map((file) => watchConfig(file, onChange));
  const close = () => Promise.all(watches.map((one) => one.close()));
  let watches = watch();
  return {
    follow(next) {
      if (next.cert === current.cert && next.key === current.key) return;
      onCertificate(readCertificate(next));
      void close();
      current = next;
      watches = watch();
    },
    async close() {
      await close();
    },
  };
}
