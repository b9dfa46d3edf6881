import { describe, expect, test, vi } from 'vitest';
import type { ClientDirectory, ClientFacts } from '../../../../src/core/providers/provider.ts';
import { ALL_ASK_CAPABILITIES } from '../../../../src/era/capabilities.ts';
import { Member } from '../../../../src/upstream/sharing/member.ts';
import { KeepingCaller } from '../calls.ts';
import { FakePeer } from '../connection/fake-server.ts';
import { entryOf } from '../entries.ts';
import { optionsOf } from './memory-pool.ts';

const UI = { 'io.modelcontextprotocol/ui': {} };

class Client extends KeepingCaller {
  override readonly client: ClientFacts;

  constructor(clientId: string, sessionId: string, capabilities: object) {
    super(sessionId);
    this.client = { ...new KeepingCaller(sessionId).client, clientId, capabilities: JSON.stringify(capabilities) };
  }
}

/** A process that belongs to its clients as it is said, before it is started. */
function open({ isForAll = false, isOfOneClient = true } = {}) {
  const peers: FakePeer[] = [];
  const looked: string[] = [];
  const offered: Member[] = [];
  const directory: ClientDirectory = {
    get: (id) => void looked.push(id) as undefined,
    sole: () => void looked.push('the only one of all') as undefined,
  };
  const options = optionsOf(entryOf({ era: 'legacy' }), { directory });
  const transportFor = async () => ({
    open: async (_entry: unknown, events: FakePeer['events']) => {
      const peer = new FakePeer(events);
      peers.push(peer);
      return peer.transport;
    },
  });
  const passed = () => ({ experimental: { all: {} } });
  const member = new Member(
    { ...options, transportFor, passed },
    { isForAll: () => isForAll, isOfOneClient, onOffer: (one) => void offered.push(one) },
  );
  /** Starts the process, and returns its peer once it was asked something. */
  const start = async () => {
    member.upstream.start();
    await vi.waitFor(() => expect(peers[0]?.methods).toContain('initialize'));
    return peers[0]!;
  };
  /** Returns the capabilities that the process is told about. */
  const told = async () => (await start()).sent[0]!.params.capabilities as object;
  return { member, start, told, looked, offered, peers };
}

const declared = { roots: { listChanged: true }, extensions: UI };
const all = { ...ALL_ASK_CAPABILITIES, experimental: { all: {} } };

describe('a process is told the capabilities', () => {
  test('of its only client', async () => {
    const { member, told } = open();
    member.claim(new Client('a', 'a', declared));
    expect(await told()).toEqual(declared);
    await member.end('over');
  });

  test.each([
    ['it belongs to all clients', { isForAll: true }, [new Client('a', 'a', declared)]],
    ['it belongs to clients of one folder', { isOfOneClient: false }, [new Client('a', 'a', declared)]],
    ['its client may be several programs', {}, [new Client('a', 'call-1', declared)]],
    ['two clients have it', {}, [new Client('a', 'a', declared), new Client('b', 'b', declared)]],
    ['no client has it yet', {}, []],
  ])('that the gateway can pass on where %s', async (_why, how, clients) => {
    const { member, told } = open(how);
    for (const client of clients) member.claim(client);
    expect(await told()).toEqual(all);
    await member.end('over');
  });

  test('of its client without those that no other client has', async () => {
    const { member, told } = open();
    member.claim(new Client('a', 'a', {}));
    expect(await told()).toEqual({});
    await member.end('over');
  });
});

describe('a process becomes the own one of a client', () => {
  const able = new Client('a', 'a', { ...ALL_ASK_CAPABILITIES, extensions: UI });

  test('if none has used it, and it is not started', () => {
    const { member } = open();
    expect(member.suits(new Client('a', 'a', {}))).toBe(true);
    member.claim(able);
    expect(member.suits(able)).toBe(false);
  });

  test('once it is started, if the client can do all that the process was told', async () => {
    const { member, start } = open();
    await start();
    expect(member.suits(able)).toBe(true);
    expect(member.suits(new Client('a', 'a', { roots: {} }))).toBe(false);
    // What a client is that makes each call under an id of its own is not known.
    expect(member.suits(new Client('a', 'call-1', {}))).toBe(true);
    await member.end('over');
  });
});

describe('what a process asks outside of calls', () => {
  async function askedOf(how: { isForAll?: boolean }, owners: readonly string[]) {
    const { member, start, looked } = open(how);
    for (const owner of owners) member.claim(new Client(owner, owner, {}));
    const peer = await start();
    peer.greet();
    await vi.waitFor(() => expect(peer.methods).toContain('notifications/initialized'));
    peer.hear({ id: 5, method: 'roots/list' });
    await vi.waitFor(() => expect(peer.sent.some(({ id, method }) => id === 5 && method === undefined)).toBe(true));
    await member.end('over');
    return looked;
  }

  test('is for the only client of all where all share it', async () => {
    expect(new Set(await askedOf({ isForAll: true }, ['a']))).toEqual(new Set(['the only one of all']));
  });

  test('is for its owner', async () => {
    expect(new Set(await askedOf({}, ['a']))).toEqual(new Set(['a']));
  });

  test.each([[[]], [['a', 'b']]])('is for nobody where its owners are %j', async (owners: string[]) => {
    expect(await askedOf({}, owners)).toEqual([]);
  });
});

test('a process that ends gives its place back, and tells what it offers', async () => {
  const { member, start, offered } = open();
  const leave = vi.fn();
  member.keep(leave);
  const peer = await start();
  await member.end('over');
  expect([leave.mock.calls.length, peer.isClosed]).toEqual([1, true]);
  expect(offered).toContain(member);
});
