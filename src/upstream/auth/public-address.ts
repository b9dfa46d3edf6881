import { BlockList, isIP, isIPv4 } from 'node:net';

/** Addresses of IPv4 that are not on the public internet (IANA's special-purpose registry). */
const SPECIAL_V4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];

/** The special IPv6 ranges within 2000::/3, outside of which nothing is public. */
const SPECIAL_V6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['3fff::', 20],
];

const specialV4 = new BlockList();
for (const [net, bits] of SPECIAL_V4) specialV4.addSubnet(net, bits);

const specialV6 = new BlockList();
for (const [net, bits] of SPECIAL_V6) specialV6.addSubnet(net, bits, 'ipv6');

const globalV6 = new BlockList();
globalV6.addSubnet('2000::', 3, 'ipv6');

/** Returns true if an IP address is on the public internet. Also checks IPv4 addresses that are embedded in IPv6 addresses. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !specialV4.check(address);
  const groups = groupsOf(address);
  if (groups === undefined) return false;
  const inner = innerV4(groups);
  if (inner !== undefined) return isPublicAddress(inner);
  return globalV6.check(address, 'ipv6') && !specialV6.check(address, 'ipv6');
}

/** Returns true if an IP address belongs to this machine. */
export function isLoopbackAddress(address: string): boolean {
  if (isIPv4(address)) return address.startsWith('127.');
  const groups = groupsOf(address);
  if (groups === undefined) return false;
  const inner = isMapped(groups) ? dotted(groups[6]!, groups[7]!) : undefined;
  if (inner !== undefined) return isLoopbackAddress(inner);
  return groups.slice(0, 7).every((group) => group === 0) && groups[7] === 1;
}

/** Returns the eight groups of an IPv6 address; `undefined` for what is none, or has a zone. */
function groupsOf(address: string): number[] | undefined {
  if (isIP(address) !== 6 || address.includes('%')) return undefined;
  const lastGroup = address.lastIndexOf(':') + 1;
  const isDotted = address.includes('.', lastGroup);
  const text = isDotted ? address.slice(0, lastGroup) + hexOf(address.slice(lastGroup)) : address;
  const [head = '', tail] = text.split('::');
  const before = hexGroups(head);
  const after = tail === undefined ? [] : hexGroups(tail);
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0);
  return [...before, ...zeros, ...after];
}

const hexGroups = (text: string): number[] =>
  text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));

function hexOf(dottedText: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = dottedText.split('.').map(Number);
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

const dotted = (high: number, low: number): string => [high >> 8, high & 255, low >> 8, low & 255].join('.');

const isMapped = (groups: readonly number[]): boolean =>
  groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;

/** Returns the IPv4 address to which a packet really goes: mapped, NAT64 (RFC 6052), 6to4 (RFC 3056). */
function innerV4(groups: readonly number[]): string | undefined {
  const [first, second, third] = groups as [number, number, number];
  if (isMapped(groups)) return dotted(groups[6]!, groups[7]!);
  const isNat64 = first === 0x64 && second === 0xff9b && groups.slice(2, 6).every((group) => group === 0);
  if (isNat64) return dotted(groups[6]!, groups[7]!);
  return first === 0x2002 ? dotted(second, third) : undefined;
}
