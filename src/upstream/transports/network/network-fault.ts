import type { RequestFailure } from '../transport.ts';

/** The reason why no response came. */
export interface NetworkFault {
  /** Completes the sentence "<upstream>: …"; no header and no query of the url is in it. */
  readonly reason: string;
  /** True if no connection was made, so that no part of the request has arrived. */
  readonly isUnreachable: boolean;
  /** The failure to report if the server did not accept the request from us. */
  readonly failure?: RequestFailure;
}

const TRUST = 'if you trust it, name its certificate in tls.ca of its entry, or in NODE_EXTRA_CA_CERTS';
const UNKNOWN_ISSUER = `its certificate is of an authority that is not known here: ${TRUST}`;
const NOT_TLS = 'it does not speak TLS there: is its url one with http:// instead?';
const BROKEN_OFF = 'it broke off the TLS handshake: perhaps it wants a certificate of ours (tls.cert), or another one';

/** Descriptions of TLS faults that tell the user what to do, by error code. */
const TLS_FAULTS: ReadonlyMap<string, string> = new Map([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', `its certificate is signed by itself: ${TRUST}`],
  ['SELF_SIGNED_CERT_IN_CHAIN', UNKNOWN_ISSUER],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', UNKNOWN_ISSUER],
  ['UNABLE_TO_GET_ISSUER_CERT', UNKNOWN_ISSUER],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', UNKNOWN_ISSUER],
  ['CERT_HAS_EXPIRED', 'its certificate has expired'],
  ['CERT_NOT_YET_VALID', 'its certificate is not valid yet, by the clock of this machine'],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'its certificate is for another host: if that is right, name that host in tls.serverName of its entry',
  ],
  ['ERR_SSL_WRONG_VERSION_NUMBER', NOT_TLS],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', NOT_TLS],
]);

const UNREACHABLE: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'connection refused'],
  ['ENOENT', 'there is no socket at its url (ENOENT): start the server, or correct the path in url'],
  ['EACCES', 'this user may not open the socket at its url (EACCES): check its owner and its mode'],
]);

/** Returns the fault of a request. `isConnected` tells whether the connection existed when it broke. */
export function networkFault(error: NodeJS.ErrnoException, isConnected: boolean): NetworkFault {
  const code = error.code ?? error.message;
  const words = tlsFault(error);
  // A server may object to our certificate when the handshake is over for us: it has not read the request then.
  if (words === undefined && isConnected) {
    return { reason: `the connection broke before the answer came (${code})`, isUnreachable: false };
  }
  return { reason: faultReason(error, false), isUnreachable: true };
}

/** Returns why a connection could not be made, or broke. Completes the sentence "<upstream>: …". */
export function faultReason(error: NodeJS.ErrnoException, wasConnected: boolean): string {
  const code = error.code ?? error.message;
  const words = tlsFault(error);
  if (words !== undefined) return `${words} (${code})`;
  if (wasConnected) return `the connection broke (${code})`;
  return UNREACHABLE.get(code) ?? `it cannot be reached (${code})`;
}

/** Returns a fault on the way to a server that is reached through an intermediary. */
export function viaProxy(reason: string, proxy: string | undefined): string {
  return proxy === undefined ? reason : `${reason}; by way of the proxy ${proxy}`;
}

/** Returns the TLS fault that an error stands for; `undefined` if it is not about TLS. */
export function tlsFault(error: NodeJS.ErrnoException): string | undefined {
  const code = error.code ?? error.message;
  return TLS_FAULTS.get(code) ?? (isAlert(code) ? BROKEN_OFF : protocolFault(error));
}

const isAlert = (code: string): boolean => /^ERR_SSL_.+_ALERT_/.test(code);

/** The bits of an OpenSSL error number that give the reason; the others name the library. */
const REASON_MASK = 0x7f_ffff;
const FIRST_ALERT = 1_000;

/** Describes a TLS error that Node.js met while writing. Its code is always EPROTO; OpenSSL's error number is in the message. */
function protocolFault({ code, message }: NodeJS.ErrnoException): string | undefined {
  const number = code === 'EPROTO' ? /:error:([0-9A-F]{8}):/.exec(message)?.[1] : undefined;
  if (number === undefined) return undefined;
  return (Number.parseInt(number, 16) & REASON_MASK) >= FIRST_ALERT ? BROKEN_OFF : NOT_TLS;
}
