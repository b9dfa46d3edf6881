import path from 'node:path';
import { type HostPort, readHostPort, shownHostPort } from './host-port.ts';

/** The address at which clients that speak in lines connect: a port, or a socket in the file system. */
export type ListenAddress = (HostPort & { readonly path?: undefined }) | { readonly path: string };

/**
 * Reads `host:port`, or the absolute path of a Unix socket; `undefined` if the text is neither. Without a host the
 * address is 127.0.0.1.
 */
export function readListenAddress(text: string): ListenAddress | undefined {
  const trimmed = text.trim();
  if (path.isAbsolute(trimmed) && !trimmed.includes('\0')) return { path: path.normalize(trimmed) };
  return readHostPort(trimmed);
}

/** Returns the address as a url. */
export function listenUrl(address: ListenAddress, isSecure: boolean): string {
  if (address.path !== undefined) return `unix://${address.path}`;
  return `${isSecure ? 'tls' : 'tcp'}://${shownHostPort(address)}`;
}
