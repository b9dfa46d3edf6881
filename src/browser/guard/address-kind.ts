import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

/**
 * The network of an IP address: `loopback` is this machine; `linkLocal` the same link; `metadata` the service that
 * gives cloud machines their keys; `private` a network that the internet does not reach, or none; `public` the
 * internet.
 */
export type AddressKind = 'public' | 'loopback' | 'linkLocal' | 'metadata' | 'private';

type Family = 'ipv4' | 'ipv6';

function listOf(...networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), familyOf(address));
  }
  return list;
}

const familyOf = (address: string): Family => (isIPv4(address) ? 'ipv4' : 'ipv6');

/** Clouds use these besides link-local ones: AWS, Google, Alibaba, Oracle, Azure. */
const METADATA = listOf(
  '169.254.169.254/32',
  'fd00:ec2::/32',
  'fd20:ce::254/128',
  '100.100.100.200/32',
  '192.0.0.192/32',
  '168.63.129.16/32',
);

/** A connection to the unspecified address arrives at this machine. */
const LOOPBACK = listOf('127.0.0.0/8', '0.0.0.0/32', '::1/128', '::/128');

const LINK_LOCAL = listOf('169.254.0.0/16', 'fe80::/10');

/** The rest of what is not public (IANA, special-purpose address registries), multicast included. */
const PRIVATE_IPV4 = listOf(
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/3',
);

const PUBLIC_IPV6 = listOf('2000::/3');

/** Networks whose addresses have an IPv4 address in them, and the byte at which that begins. */
const EMBEDDING: readonly (readonly [BlockList, number])[] = [
  [listOf('::/96'), 12], // IPv4-compatible
  [listOf('::ffff:0:0/96'), 12], // IPv4-mapped
  [listOf('::ffff:0:0:0/96'), 12], // IPv4-translated
  [listOf('64:ff9b::/96'), 12], // NAT64
  [listOf('64:ff9b:1::/48'), 12], // NAT64 of a site
  [listOf('2002::/16'), 2], // 6to4
];

/**
 * Returns where an address leads. An address that has an IPv4 address in it leads where that one does.
 * @param address IPv4 or IPv6, without brackets
 */
export function addressKind(address: string): AddressKind {
  const [plain = ''] = address.split('%');
  if (isIP(plain) === 0) return 'private';
  const family = familyOf(plain);
  if (METADATA.check(plain, family)) return 'metadata';
  if (LOOPBACK.check(plain, family)) return 'loopback';
  if (LINK_LOCAL.check(plain, family)) return 'linkLocal';
  if (family === 'ipv4') return PRIVATE_IPV4.check(plain, family) ? 'private' : 'public';
  const inner = embeddedIPv4(plain);
  if (inner !== undefined) return addressKind(inner);
  return PUBLIC_IPV6.check(plain, family) ? 'public' : 'private';
}

/**
 * Returns the spelling in which equal addresses are equal texts: IPv4 in dotted form, also where it is in an IPv6 address.
 * @param address IPv4 or IPv6, without brackets
 */
export function canonicalAddress(address: string): string {
  const [plain = ''] = address.split('%');
  if (!isIPv6(plain)) return plain;
  return embeddedIPv4(plain) ?? new URL(`http://[${plain}]`).hostname.slice(1, -1);
}

function embeddedIPv4(address: string): string | undefined {
  if (LOOPBACK.check(address, 'ipv6')) return undefined;
  const found = EMBEDDING.find(([network]) => network.check(address, 'ipv6'));
  return found === undefined
    ? undefined
    : bytesOf(address)
        .slice(found[1], found[1] + 4)
        .join('.');
}

/** Returns the 16 bytes of an IPv6 address. */
function bytesOf(address: string): readonly number[] {
  // URL spells it in hexadecimal groups, with at most one "::".
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const [first, last] = [groupsOf(head), groupsOf(tail ?? '')];
  const zeros = Array<number>(8 - first.length - last.length).fill(0);
  return [...first, ...zeros, ...last].flatMap((group) => [group >> 8, group & 0xff]);
}

const groupsOf = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)));
