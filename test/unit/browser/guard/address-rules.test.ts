import { networkInterfaces } from 'node:os';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressKind } from '../../../../src/browser/guard/address-kind.ts';
import { type AddressRulesOptions, addressRules } from '../../../../src/browser/guard/address-rules.ts';
import { HostLookup } from '../../../../src/browser/guard/host-lookup.ts';

const GATEWAY = { host: '127.0.0.1', port: 31_415 };

/** Names that the tests' name service knows. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'example.com': ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
  'rebound.example': ['127.0.0.1'],
  'half.example': ['93.184.215.14', '10.0.0.5'],
  'nas.local': ['192.168.1.20'],
  'cloud.example': ['169.254.169.254'],
  'gateway.example': ['93.184.215.99'],
};

function rulesWith(changes: Partial<AddressRulesOptions> = {}) {
  const lookUp = async (host: string) => {
    const found = NAMES[host];
    if (found === undefined) throw new Error('its name cannot be resolved (ENOTFOUND)');
    return found;
  };
  return addressRules({
    allowHosts: [],
    loopback: true,
    own: () => [GATEWAY],
    hosts: new HostLookup(lookUp),
    ...changes,
  });
}

const isAllowed = async (url: string, changes?: Partial<AddressRulesOptions>) =>
  (await rulesWith(changes).check(url)).allowed;

describe('documents', () => {
  test.each([
    'https://example.com/a?b#c',
    'http://93.184.215.14:8080',
    'http://localhost:3000',
    'http://127.0.0.1:8080',
    'http://[::1]:8080',
    'http://0.0.0.0:8080',
    'about:blank',
    'about:srcdoc',
  ])('%s is allowed', async (url) => {
    expect(await isAllowed(url)).toBe(true);
  });

  test.each([
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,hello',
    'blob:http://localhost:3000/1',
    'chrome://settings',
    'about:version',
    'view-source:http://example.com',
    'ws://example.com',
    'ftp://example.com',
    'chrome-extension://abc/x.html',
    'no url',
    '',
  ])('%s is refused', async (url) => {
    expect(await isAllowed(url)).toBe(false);
  });
});

describe('addresses of the gateway', () => {
  test.each([
    'http://127.0.0.1:31415/mcp',
    'http://localhost:31415',
    'http://LOCALHOST.:31415',
    'http://a.localhost:31415',
    'http://[::1]:31415',
    'http://0.0.0.0:31415',
    'http://0:31415',
    'http://127.1:31415',
    'http://2130706433:31415',
    'http://0x7f000001:31415',
    'http://0177.0.0.1:31415',
    'http://127.0.0.2:31415',
    'http://[::ffff:127.0.0.1]:31415',
    'http://[::ffff:7f00:1]:31415',
    'http://[::]:31415',
    'http://user:password@127.0.0.1:31415',
    'http://rebound.example:31415',
    'https://127.0.0.1:31415',
  ])('%s is refused, even if allowHosts lists everything', async (url) => {
    const verdict = await rulesWith({ allowHosts: ['*'] }).check(url);
    expect(verdict).toEqual({ allowed: false, why: expect.stringContaining('an address of the gateway itself') });
  });

  test('every address of this machine is refused with its port', async () => {
    const found = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    for (const { address, family } of found) {
      const host = family === 'IPv6' ? `[${address.split('%')[0]}]` : address;
      expect(await isAllowed(`http://${host}:31415`, { allowHosts: ['*'] })).toBe(false);
    }
  });

  test('a public name of it is refused, and nothing else on this machine', async () => {
    const own = () => [{ host: 'gateway.example', port: 443 }];
    expect(await isAllowed('https://gateway.example', { own })).toBe(false);
    expect(await isAllowed('https://gateway.example:8443', { own })).toBe(true);
    expect(await isAllowed('https://localhost', { own })).toBe(true);
  });

  test('one that begins to listen later is refused from then on', async () => {
    const own = [GATEWAY];
    const rules = rulesWith({ own: () => own });
    expect(await rules.check('http://localhost:5000')).toEqual({ allowed: true });
    own.push({ host: '0.0.0.0', port: 5000 });
    expect(await rules.check('http://localhost:5000')).toMatchObject({ allowed: false });
  });
});

describe('networks', () => {
  test.each([
    ['http://10.1.2.3', 'private network'],
    ['http://192.168.1.1', 'private network'],
    ['http://172.31.0.1', 'private network'],
    ['http://100.64.0.1', 'private network'],
    ['http://0.1.2.3', 'private network'],
    ['http://224.0.0.1', 'private network'],
    ['http://255.255.255.255', 'private network'],
    ['http://[fd12::1]', 'private network'],
    ['http://[ff02::1]', 'private network'],
    ['http://[::ffff:10.0.0.1]', 'private network'],
    ['http://[64:ff9b::10.0.0.1]', 'private network'],
    ['http://[2002:a00:1::]', 'private network'],
    ['http://nas.local', 'private network'],
    ['http://half.example', 'private network'],
    ['http://167772161', 'private network'],
    ['http://169.254.1.1', 'link-local'],
    ['http://[fe80::1]', 'link-local'],
    ['http://169.254.169.254/latest/meta-data', 'metadata'],
    ['http://[fd00:ec2::254]', 'metadata'],
    ['http://[::ffff:169.254.169.254]', 'metadata'],
    ['http://cloud.example', 'metadata'],
    ['http://metadata.google.internal', 'metadata'],
    ['http://METADATA.google.internal.', 'metadata'],
    ['http://0xa9fea9fe', 'metadata'],
    ['http://nowhere.example', 'cannot be resolved (ENOTFOUND)'],
  ])('%s is refused: %s', async (url, why) => {
    expect(await rulesWith().check(url)).toEqual({ allowed: false, why: expect.stringContaining(why) });
  });

  test.each([
    ['http://10.1.2.3', ['10.*']],
    ['http://nas.local', ['nas.local']],
    ['http://nas.local', ['192.168.1.20']],
    ['http://nas.local:8080', ['nas.local:8080']],
    ['http://NAS.local:8080', ['*.LOCAL:80*']],
    ['http://[fd12::1]:99', ['fd12:*']],
    ['http://half.example', ['10.0.0.5']],
  ])('%s is allowed if allowHosts has %s', async (url, allowHosts) => {
    expect(await isAllowed(url, { allowHosts })).toBe(true);
  });

  test.each([
    ['http://nas.local:81', ['nas.local:80']],
    ['http://10.1.2.3', ['11.*']],
    ['http://169.254.1.1', ['*']],
    ['http://cloud.example', ['*', 'cloud.example']],
    ['http://metadata.google.internal', ['*']],
  ])('%s is refused though allowHosts has %s', async (url, allowHosts) => {
    expect(await isAllowed(url, { allowHosts })).toBe(false);
  });

  test('this machine can be switched off, and parts of it listed', async () => {
    expect(await isAllowed('http://localhost:3000', { loopback: false })).toBe(false);
    expect(await isAllowed('http://rebound.example', { loopback: false })).toBe(false);
    expect(await isAllowed('http://localhost:3000', { loopback: false, allowHosts: ['localhost:3000'] })).toBe(true);
  });

  test('onlyHosts restricts documents, not what they need', async () => {
    const rules = rulesWith({ onlyHosts: ['*.example', 'localhost:3000'], allowHosts: ['*'] });
    expect(await rules.check('https://example.com')).toMatchObject({ why: expect.stringContaining('onlyHosts') });
    expect(await rules.check('http://localhost:3000')).toEqual({ allowed: true });
    expect(await rules.check('https://gateway.example')).toEqual({ allowed: true });
    expect(await rules.checkRequest('https://example.com/a.png')).toEqual({ allowed: true });
  });
});

test.each(['data:image/png;base64,AA', 'blob:http://localhost/1', 'ws://localhost:3000', 'https://example.com/a.js'])(
  'a document may request %s',
  async (url) => {
    expect(await rulesWith().checkRequest(url)).toEqual({ allowed: true });
  },
);

test.each(['ws://localhost:31415', 'wss://10.0.0.1', 'file:///etc/passwd', 'chrome://settings', 'ftp://example.com'])(
  'a document may not request %s',
  async (url) => {
    expect(await rulesWith().checkRequest(url)).toMatchObject({ allowed: false });
  },
);

test('the address that was reached is judged again', () => {
  const rules = rulesWith({ allowHosts: ['nas.local'] });
  expect(rules.checkReached('http://example.com', '93.184.215.14')).toEqual({ allowed: true });
  expect(rules.checkReached('http://example.com', '10.0.0.1')).toMatchObject({ allowed: false });
  expect(rules.checkReached('http://nas.local', '10.0.0.1')).toEqual({ allowed: true });
  expect(rules.checkReached('http://example.com:31415', '127.0.0.1')).toMatchObject({ allowed: false });
});

test('no spelling of a forbidden IPv4 address is allowed', async () => {
  const rules = rulesWith({ loopback: false });
  const forbidden = fc.oneof(
    ...[[10], [127], [192, 168], [172, 16], [169, 254], [100, 64], [0], [224], [255]].map((start) =>
      fc
        .array(fc.nat(255), { minLength: 4 - start.length, maxLength: 4 - start.length })
        .map((rest) => [...start, ...rest]),
    ),
  );
  const byte = (value: number, base: number) =>
    base === 16 ? `0x${value.toString(16)}` : base === 8 ? `0${value.toString(8)}` : String(value);
  const spelt = fc
    .tuple(
      forbidden,
      fc.array(fc.constantFrom(8, 10, 16), { minLength: 4, maxLength: 4 }),
      fc.integer({ min: 1, max: 4 }),
      fc.boolean(),
    )
    .map(([bytes, bases, parts, hasDot]) => {
      const last = bytes.slice(parts - 1).reduce((sum, value) => sum * 256 + value, 0);
      const words = [...bytes.slice(0, parts - 1), last].map((value, at) => byte(value, bases[at]!));
      return words.join('.') + (hasDot ? '.' : '');
    });
  await fc.assert(
    fc.asyncProperty(spelt, fc.constantFrom('', ':8080'), async (host, port) => {
      expect((await rules.check(`http://${host}${port}/`)).allowed).toBe(false);
    }),
    { numRuns: 2_000 },
  );
});

test('an IPv6 address leads where the IPv4 address in it leads', () => {
  const hex = ([a, b]: readonly number[]) => ((a! << 8) | b!).toString(16);
  fc.assert(
    fc.property(fc.array(fc.nat(255), { minLength: 4, maxLength: 4 }), (bytes) => {
      const kind = addressKind(bytes.join('.'));
      const groups = `${hex(bytes)}:${hex(bytes.slice(2))}`;
      for (const address of [
        `::ffff:${groups}`,
        `64:ff9b::${groups}`,
        `2002:${groups}::1`,
        `::ffff:${bytes.join('.')}`,
      ])
        expect(addressKind(address)).toBe(kind);
    }),
  );
});

test('a host is looked up once in a while, and a failure is told', async () => {
  let now = 0;
  const asked: string[] = [];
  const hosts = new HostLookup(
    async (host) => {
      asked.push(host);
      return ['93.184.215.14'];
    },
    () => now,
  );
  await Promise.all([hosts.addressesOf('a.example'), hosts.addressesOf('a.example')]);
  now = 4_999;
  await hosts.addressesOf('a.example');
  expect(asked).toEqual(['a.example']);
  now = 5_001;
  await hosts.addressesOf('a.example');
  expect(asked).toHaveLength(2);
  await expect(new HostLookup().addressesOf('nowhere.invalid')).rejects.toThrow('its name cannot be resolved');
});
