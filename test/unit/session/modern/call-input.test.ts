import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { errorReply } from '../../../../src/wire/reply.ts';
import { type Asked, modernSetup, read } from '../modern-setup.ts';

type Parked = { inputRequests: Record<string, { method: string; params: { message: string } }>; requestState: string };

async function parkedBy(asked: Asked): Promise<Parked> {
  const { result } = (await asked.answered) as { result?: { resultType: string } & Parked };
  expect(result?.resultType).toBe('input_required');
  return result!;
}

describe('a modern client', () => {
  test.each([
    ['accept', 2],
    ['decline', 1],
  ])(
    'that is asked for two URLs accepts one and answers the other with %s: %i calls are made',
    async (action, made) => {
      const { provider, call } = modernSetup();
      const first = call();
      const elicitations = ['https://a', 'https://b'].map((url) => ({ mode: 'url', url, message: url }));
      provider.last.fail(-32042, 'URL elicitation required', { elicitations });
      const parked = await parkedBy(first);
      const [one, other] = Object.keys(parked.inputRequests);
      const { requestState } = parked;
      call({ requestState, inputResponses: { [one!]: { action: 'accept' }, [other!]: { action } } });
      expect(provider.calls).toHaveLength(made);
    },
  );

  test('that cannot visit URLs is not asked to: the call ends with the capability that is missing', async () => {
    const { provider, call, parking } = modernSetup();
    const asked = call({}, { capabilities: { elicitation: { form: {} } } });
    provider.last.fail(-32042, 'first', { elicitations: [{ mode: 'url', url: 'https://pay', message: 'pay' }] });
    expect(await asked.answered).toMatchObject({
      error: { code: -32021, data: { requiredCapabilities: { elicitation: { url: {} } } } },
    });
    expect([asked.status, parking.size]).toEqual([400, 0]);
  });

  test('gets the demand for URLs as it is where a modern server answers with it, or the method takes no input', async () => {
    const { provider, call, request } = modernSetup();
    const data = { elicitations: [{ mode: 'url', url: 'https://pay', message: 'pay' }] };
    const ofModern = call();
    provider.last.call.caller.onReply({ ...errorReply({ code: -32042, message: 'first', data }), isModern: true });
    expect(await ofModern.answered).toMatchObject({ error: { code: -32042 } });
    const ref = { type: 'ref/resource', uri: 'x://{y}' };
    const completion = request('completion/complete', { ref, argument: { name: 'y', value: '' } });
    provider.last.fail(-32042, 'first', data);
    expect(await completion.answered).toMatchObject({ error: { code: -32042 } });
  });

  test.each([
    ['the error of a modern server that misses a capability', -32021, true, 400],
    ['another error of a modern server', -32603, true, undefined],
    ['an error of the same code of a legacy server', -32021, false, undefined],
  ])('gets %s with its HTTP status', async (_what, code, isModern, status) => {
    const { provider, call } = modernSetup();
    const asked = call();
    const data = { requiredCapabilities: { roots: {} } };
    provider.last.call.caller.onReply({ ...errorReply({ code, message: 'no', data }), isModern });
    await asked.answered;
    expect(asked.status).toBe(status);
  });

  test('is not asked what its server withdraws at once', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { provider, call, parking } = modernSetup();
    const asked = call();
    const withdraw = provider.last.call.caller.ask({
      message: read('{"jsonrpc":"2.0","id":7,"method":"elicitation/create","params":{"message":"?"}}'),
      onAnswer: () => undefined,
      onFailure: () => undefined,
      onProgress: () => undefined,
    });
    withdraw('not needed');
    vi.advanceTimersByTime(1_000);
    expect([asked.replies, parking.size]).toEqual([0, 0]);
  });

  test('that cancels before its question is sent leaves no timer and no place behind', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { provider, call, parking } = modernSetup();
    const asked = call();
    provider.last.elicit('?');
    expect(vi.getTimerCount()).toBe(1);
    asked.open?.cancel('"first"');
    asked.open?.cancel('"second"');
    expect([vi.getTimerCount(), parking.size, provider.last.cancelled]).toEqual([0, 0, '"first"']);
  });
});
