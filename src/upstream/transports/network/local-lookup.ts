import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';

/**
 * Returns a lookup that tries both loopback addresses if the host is `localhost`: a server may listen on either one,
 * and hosts files often list only one. Returns no lookup for other hosts.
 */
export async function lookupFor({ hostname }: Pick<URL, 'hostname'>): Promise<{ readonly lookup?: LookupFunction }> {
  if (hostname !== 'localhost') return {};
  const { lookup } = await import('node:dns');
  return { lookup: alsoBoth(lookup) };
}

const BOTH: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

function alsoBoth(lookup: typeof import('node:dns').lookup): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      const known = error === null ? found : [];
      const addresses = [...known, ...BOTH.filter(({ address }) => !known.some((each) => each.address === address))];
      if (options.all === true) callback(null, addresses);
      else callback(null, addresses[0]!.address, addresses[0]!.family);
    });
  };
}
