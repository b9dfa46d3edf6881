import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type HandshakeOptions, handshake } from '../../../../src/upstream/connection/handshake.ts';
import { failureOf, ScriptedServer, type Take } from '../lists/scripted-server.ts';

const LEGACY = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's' } };
const MODERN = { supportedVersions: ['2026-07-28'], capabilities: { prompts: {} }, serverInfo: { name: 's' } };
const REFUSAL = { error: { code: -32601, message: 'unknown' } };
const AGAIN = { error: { code: -32022, message: 'no', data: { supported: ['2026-07-28'] } } };

type Script = Partial<Record<'initialize' | 'server/discover', ReturnType<Take>>>;

/** A server that answers both questions as the script says; silence where it says nothing. */
function serverWith(script: Script) {
  const server = new ScriptedServer(({ method }) => script[method as keyof Script]);
  const shake = (options: Partial<HandshakeOptions>) =>
    handshake(server.link, {
      clientInfo: { name: 'c', version: '1' },
      capabilities: { sampling: {} },
      passed: () => ({ extensions: { 'x/y': {} } }),
      opening: 'ask',
      timeoutMs: 60_000,
      ...options,
    });
  const methods = () => server.asked.map(({ method }) => method);
  return { server, shake, methods };
}

const answered = { initialize: { result: LEGACY }, 'server/discover': { result: MODERN } };

describe('a server of one era', () => {
  test('legacy: is only initialized, and told that it is', async () => {
    const { server, shake, methods } = serverWith(answered);
    expect(await shake({ opening: 'legacy' })).toEqual({ era: 'legacy', ...LEGACY, instructions: undefined });
    expect([methods(), server.notified]).toEqual([['initialize'], ['notifications/initialized']]);
    expect(server.params).toEqual([
      {
        protocolVersion: '2025-11-25',
        capabilities: { sampling: {}, extensions: { 'x/y': {} } },
        clientInfo: { name: 'c', version: '1' },
      },
    ]);
    expect(server.link.ownParams('{}')).toBe('{}');
  });

  test('modern: is only discovered, and gets the envelope with each request from then on', async () => {
    const { server, shake, methods } = serverWith(answered);
    const facts = await shake({ opening: 'modern' });
    expect(facts).toMatchObject({ era: 'modern', protocolVersion: '2026-07-28', capabilities: { prompts: {} } });
    expect([methods(), server.notified]).toEqual([['server/discover'], []]);
    expect(server.params[0]).toMatchObject({
      _meta: { 'io.modelcontextprotocol/clientCapabilities': { extensions: { 'x/y': {} } } },
    });
    expect(JSON.parse(server.link.ownParams('{}'))).toEqual(server.params[0]);
  });

  test('modern: is not initialized where it gives another answer', async () => {
    const { shake, methods } = serverWith({ ...answered, 'server/discover': { result: {} } });
    await expect(shake({ opening: 'modern' })).rejects.toThrow(
      'handshake: server/discover was answered with no list of versions',
    );
    expect(methods()).toEqual(['server/discover']);
  });

  test('modern: is asked once more where it refuses the version that it lists', async () => {
    const script: Script = { 'server/discover': AGAIN };
    const { server, shake, methods } = serverWith(script);
    const { take } = server;
    server.take = (asked) => {
      script['server/discover'] = server.asked.length === 1 ? AGAIN : { result: MODERN };
      return take(asked);
    };
    expect(await shake({ opening: 'modern' })).toMatchObject({ era: 'modern' });
    expect(methods()).toEqual(['server/discover', 'server/discover']);
  });

  test('modern: has failed where it refuses the version that it lists for the second time', async () => {
    const { shake, methods } = serverWith({ 'server/discover': AGAIN });
    await expect(shake({ opening: 'modern' })).rejects.toThrow(
      'handshake: it lists protocol version 2026-07-28 and refuses it',
    );
    expect(methods()).toEqual(['server/discover', 'server/discover']);
  });

  test.each([
    ['an error', REFUSAL, 'initialize was answered with {"code":-32601,"message":"unknown"}'],
    ['an unknown version', { result: { ...LEGACY, protocolVersion: '1' } }, 'it speaks protocol version "1", which'],
    ['no version', { result: {} }, 'it speaks protocol version undefined, which we do not'],
  ])('legacy: has failed where it answers with %s', async (_what, initialize, problem) => {
    const { server, shake } = serverWith({ initialize });
    await expect(shake({ opening: 'legacy' })).rejects.toThrow(`handshake: ${problem}`);
    expect(server.notified).toEqual([]);
  });

  test('legacy: members of the wrong type count as absent', async () => {
    const odd = { ...LEGACY, capabilities: 5, serverInfo: 'x', instructions: {} };
    const { shake } = serverWith({ initialize: { result: odd } });
    const facts = await shake({ opening: 'legacy' });
    expect(facts).toMatchObject({ capabilities: {}, serverInfo: {}, instructions: undefined });
    const { shake: shakeAgain } = serverWith({ initialize: { result: { ...LEGACY, instructions: 'read me' } } });
    expect(await shakeAgain({ opening: 'legacy' })).toMatchObject({ instructions: 'read me' });
  });
});

describe('a server that was legacy before', () => {
  const opening = 'assume-legacy';

  test('is only initialized', async () => {
    const { shake, methods } = serverWith(answered);
    expect(await shake({ opening })).toMatchObject({ era: 'legacy' });
    expect(methods()).toEqual(['initialize']);
  });

  test('is discovered where it does not want to be initialized any more', async () => {
    const { server, shake, methods } = serverWith({ ...answered, initialize: REFUSAL });
    expect(await shake({ opening })).toMatchObject({ era: 'modern' });
    expect([methods(), server.notified]).toEqual([['initialize', 'server/discover'], []]);
  });

  test('has failed as it did at first where it is not modern either', async () => {
    const { shake } = serverWith({ initialize: REFUSAL, 'server/discover': { error: { code: 1, message: 'other' } } });
    await expect(shake({ opening })).rejects.toThrow('initialize was answered with {"code":-32601');
  });

  test('is not asked anything else where it cannot be reached', async () => {
    const { shake, methods } = serverWith({ ...answered, initialize: { failure: { code: 'UPSTREAM_NOT_CONNECTED' } } });
    expect((await failureOf(shake({ opening }))).code).toBe('UPSTREAM_NOT_CONNECTED');
    expect(methods()).toEqual(['initialize']);
  });
});

describe.each(['ask', 'assume-modern'] as const)('a server that is discovered first (%s)', (opening) => {
  test('is not initialized where it is modern', async () => {
    const { shake, methods } = serverWith(answered);
    expect(await shake({ opening })).toMatchObject({ era: 'modern' });
    expect(methods()).toEqual(['server/discover']);
  });

  test.each<[string, ReturnType<Take>]>([
    ['an error', REFUSAL],
    ['a result of another kind', { result: {} }],
    ['nonsense', { failure: { code: 'UPSTREAM_INVALID_ANSWER' } }],
    ['status 400', { failure: { status: 400 } }],
    ['status 404', { failure: { status: 404 } }],
    ['status 499', { failure: { status: 499 } }],
  ])('is legacy where it answers with %s', async (_what, discover) => {
    const { shake, methods } = serverWith({ ...answered, 'server/discover': discover });
    expect(await shake({ opening })).toMatchObject({ era: 'legacy' });
    expect(methods()).toEqual(['server/discover', 'initialize']);
  });

  test.each([399, 401, 403, 407, 408, 429, 500, 503])('has said nothing of its era by status %i', async (status) => {
    const { shake, methods } = serverWith({ ...answered, 'server/discover': { failure: { status } } });
    expect((await failureOf(shake({ opening }))).message).toContain('it failed');
    expect(methods()).toEqual(['server/discover']);
  });

  test('is not initialized where the connection is gone', async () => {
    const { server, shake, methods } = serverWith({});
    const failed = failureOf(shake({ opening }));
    server.link.end({ reason: 'gone' });
    expect((await failed).message).toContain('gone');
    expect(methods()).toEqual(['server/discover']);
  });
});

describe('a server that does not answer server/discover at once', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const idOf = (server: ScriptedServer, method: string) => server.asked.find((one) => one.method === method)!.id;

  test.each([
    [60_000, 5_000],
    [4_000, 2_000],
  ])('within %i ms is initialized too after %i ms', async (timeoutMs, ms) => {
    const { shake, methods } = serverWith({ initialize: { result: LEGACY } });
    const facts = shake({ timeoutMs });
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(methods()).toEqual(['server/discover']);
    await vi.advanceTimersByTimeAsync(1);
    expect(methods()).toEqual(['server/discover', 'initialize']);
    expect(await facts).toMatchObject({ era: 'legacy' });
  });

  test('is modern where it says so while initialize is not answered', async () => {
    const { server, shake } = serverWith({});
    const facts = shake({});
    await vi.advanceTimersByTimeAsync(6_000);
    server.answer(idOf(server, 'server/discover'), { result: MODERN });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await facts).toMatchObject({ era: 'modern' });
    expect(server.notified).not.toContain('notifications/initialized');
  });

  test('is legacy where it answers both, whichever comes first', async () => {
    const { server, shake } = serverWith({});
    const facts = shake({});
    await vi.advanceTimersByTimeAsync(6_000);
    server.answer(idOf(server, 'server/discover'), { result: MODERN });
    await vi.advanceTimersByTimeAsync(4_000);
    server.answer(idOf(server, 'initialize'), { result: LEGACY });
    expect(await facts).toMatchObject({ era: 'legacy' });
  });

  test('is modern where it refuses initialize, and says so later', async () => {
    const { server, shake } = serverWith({ initialize: REFUSAL });
    const facts = shake({});
    await vi.advanceTimersByTimeAsync(20_000);
    server.answer(idOf(server, 'server/discover'), { result: MODERN });
    expect(await facts).toMatchObject({ era: 'modern' });
  });

  test('has failed with its answer to initialize where it refuses both', async () => {
    const { server, shake } = serverWith({ initialize: REFUSAL });
    const failed = failureOf(shake({}));
    await vi.advanceTimersByTimeAsync(6_000);
    server.answer(idOf(server, 'server/discover'), REFUSAL);
    await vi.advanceTimersByTimeAsync(0);
    expect((await failed).message).toContain('initialize was answered with');
  });

  test('is waited for with initialize where it has refused server/discover late', async () => {
    const { server, shake } = serverWith({});
    const facts = shake({});
    await vi.advanceTimersByTimeAsync(6_000);
    server.answer(idOf(server, 'server/discover'), REFUSAL);
    await vi.advanceTimersByTimeAsync(20_000);
    server.answer(idOf(server, 'initialize'), { result: LEGACY });
    expect(await facts).toMatchObject({ era: 'legacy' });
  });

  test.each(['legacy', 'modern', 'assume-legacy', 'assume-modern', 'ask'] as const)(
    'has failed once the time for the whole handshake is over: %s',
    async (opening) => {
      const { shake } = serverWith({});
      let error: unknown;
      shake({ opening, timeoutMs: 10_000 }).catch((failure: unknown) => {
        error = failure;
      });
      await vi.advanceTimersByTimeAsync(9_000);
      expect(error).toBeUndefined();
      await vi.advanceTimersByTimeAsync(2_000);
      expect(error).toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
      expect(vi.getTimerCount()).toBe(0);
    },
  );

  test('has the rest of that time only for its second answer', async () => {
    const { server, shake } = serverWith({});
    const failed = failureOf(shake({ opening: 'assume-legacy', timeoutMs: 10_000 }));
    await vi.advanceTimersByTimeAsync(8_000);
    server.answer(idOf(server, 'initialize'), REFUSAL);
    await vi.advanceTimersByTimeAsync(3_000);
    expect((await failed).message).toContain('initialize was answered with');
  });
});

test.each([
  [4 * 1024 * 1024, true],
  [4 * 1024 * 1024 + 1, false],
])('a server may describe itself in %i bytes: %s', async (bytes, isAllowed) => {
  const empty = JSON.stringify({ ...LEGACY, instructions: '' }).length;
  const { shake } = serverWith({ initialize: { result: { ...LEGACY, instructions: 'x'.repeat(bytes - empty) } } });
  const outcome = await shake({ opening: 'legacy' }).then(
    () => true,
    () => false,
  );
  expect(outcome).toBe(isAllowed);
});
