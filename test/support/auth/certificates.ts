import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';

/** A certificate and its key, both PEM. */
export interface Certificate {
  readonly name: string;
  readonly cert: string;
  readonly key: string;
}

export interface CertificateOptions {
  /** The signer; by default, the certificate signs itself. */
  readonly by?: Certificate | undefined;
  /** Names and IPv4 addresses that it is for. */
  readonly hosts?: readonly string[];
  readonly isAuthority?: boolean;
  readonly notAfter?: Date;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Makes a certificate (RFC 5280) that holds from yesterday until tomorrow, so that no key must be kept with the tests. */
export function certificateOf(name: string, options: CertificateOptions = {}): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = options.by;
  const body = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_WITH_SHA256,
    nameOf(issuer?.name ?? name),
    sequence(time(new Date(Date.now() - DAY_MS)), time(options.notAfter ?? new Date(Date.now() + DAY_MS))),
    nameOf(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...extensionsOf(options))),
  );
  const signature = sign('sha256', body, issuer?.key ?? (privateKey as KeyObject));
  return {
    name,
    cert: pem(sequence(body, ECDSA_WITH_SHA256, tagged(0x03, Buffer.from([0]), signature))),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => tagged(0x30, ...parts);
const integer = (value: Buffer): Buffer => tagged(0x02, value);
const oid = (hex: string): Buffer => tagged(0x06, Buffer.from(hex, 'hex'));
const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'));
const YES = tagged(0x01, Buffer.from([0xff]));

const nameOf = (name: string): Buffer =>
  sequence(tagged(0x31, sequence(oid('550403'), tagged(0x0c, Buffer.from(name)))));

const time = (date: Date): Buffer => tagged(0x18, Buffer.from(`${date.toISOString().replaceAll(/[-:T]|\.\d+/g, '')}`));

function extensionsOf({ hosts = [], isAuthority = false }: CertificateOptions): Buffer[] {
  const names = hosts.map((host) =>
    isIPv4(host) ? tagged(0x87, Buffer.from(host.split('.').map(Number))) : tagged(0x82, Buffer.from(host)),
  );
  return [
    ...(hosts.length > 0 ? [sequence(oid('551d11'), tagged(0x04, sequence(...names)))] : []),
    ...(isAuthority ? [sequence(oid('551d13'), YES, tagged(0x04, sequence(YES)))] : []),
  ];
}

const pem = (der: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
