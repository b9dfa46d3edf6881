import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { HandshakeError, handshake, type Opening } from '../../../../src/upstream/connection/handshake.ts';
import { ScriptedServer } from '../lists/scripted-server.ts';

/** Shakes hands with a server that answers every request with this. */
function shake(result: object, opening: Opening) {
  const server = new ScriptedServer(() => ({ result }));
  const clientInfo = { name: 'c', version: '1' };
  return handshake(server.link, { clientInfo, capabilities: {}, passed: () => ({}), opening, timeoutMs: 5_000 });
}

describe('a server that is slow to say what it is', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Returns the methods that it is asked, and its era, if it says only after 30 of 60 seconds that it is modern. */
  async function slowlyModern(opening: Opening) {
    const server = new ScriptedServer(() => undefined);
    const clientInfo = { name: 'c', version: '1' };
    const facts = handshake(server.link, {
      clientInfo,
      capabilities: {},
      passed: () => ({}),
      opening,
      timeoutMs: 60_000,
    });
    await vi.advanceTimersByTimeAsync(30_000);
    server.answer(server.asked[0]!.id, { result: { resultType: 'complete', ...modern } });
    await vi.advanceTimersByTimeAsync(0);
    const methods = server.asked.map(({ method }) => method);
    return { methods, facts };
  }

  test('is not sent initialize where it was modern before', async () => {
    const { methods, facts } = await slowlyModern('assume-modern');
    expect(methods).toEqual(['server/discover']);
    await expect(facts).resolves.toMatchObject({ era: 'modern' });
  });

  test('is sent initialize too where its era is unknown', async () => {
    expect((await slowlyModern('ask')).methods).toEqual(['server/discover', 'initialize']);
  });
});

const legacy = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } };
const modern = { supportedVersions: ['2026-07-28'], capabilities: {}, serverInfo: { name: 's', version: '1' } };
const LONG = 'x'.repeat(5 * 1024 * 1024);

describe('what a server says of itself', () => {
  test.each([
    ['legacy', legacy],
    ['modern', modern],
  ] as const)('is refused where it is too large: %s', async (opening, facts) => {
    await expect(shake(facts, opening)).resolves.toMatchObject({ era: opening });
    const problem = 'handshake: its description of itself is too large (5.0 MiB; at most 4 MiB)';
    await expect(shake({ ...facts, instructions: LONG }, opening)).rejects.toThrow(
      new HandshakeError(problem.slice(11)),
    );
  });

  test('is cut where it stands in the reason of a failure', async () => {
    const failure = shake({ ...legacy, protocolVersion: 'y'.repeat(100_000) }, 'legacy');
    await expect(failure).rejects.toThrow('handshake: it speaks protocol version "yyy');
    await expect(failure).rejects.toSatisfy(({ message }: Error) => message.length <= 600);
  });
});
