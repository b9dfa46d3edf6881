import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { addressKind, canonicalAddress } from './address-kind.ts';
import { isLocalName } from './host-lookup.ts';

/** An address at which a gateway listens, or another program that pages must not reach. */
export interface OwnAddress {
  /** A name, or an IP address without brackets. */
  readonly host: string;
  readonly port: number;
}

/** Destination of a request. */
export interface Destination {
  /** A name, or an IP address without brackets, in lower case. */
  readonly host: string;
  readonly addresses: readonly string[];
  readonly port: number;
}

/**
 * Returns whether a request goes to one of these addresses. If one of them is of this machine, all addresses of this machine
 * with its port are meant: a program may listen on all of them.
 */
export function isOwn({ host, addresses, port }: Destination, own: readonly OwnAddress[]): boolean {
  const samePort = own.filter((address) => address.port === port);
  if (samePort.length === 0) return false;
  const reached = new Set(addresses.map(canonicalAddress));
  if (samePort.some(({ host: named }) => named.toLowerCase() === host || reached.has(canonicalAddress(named))))
    return true;
  const here = addressesOfThisMachine();
  const isHere = (address: string) => addressKind(address) === 'loopback' || here.has(canonicalAddress(address));
  return (
    samePort.some(({ host: named }) => isLocalName(named) || (isIP(named) !== 0 && isHere(named))) &&
    [...reached].some(isHere)
  );
}

function addressesOfThisMachine(): ReadonlySet<string> {
  const all = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  return new Set(all.map(({ address }) => canonicalAddress(address)));
}
