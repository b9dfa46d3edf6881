import { describe, expect, test } from 'vitest';
import { Frame } from '../../../../src/wire/frame.ts';
import { type Asked, modernSetup, read } from '../modern-setup.ts';

type Parked = { inputRequests: Record<string, { method: string; params: { message: string } }>; requestState: string };

async function parkedBy(asked: Asked): Promise<Parked> {
  const { result } = (await asked.answered) as { result?: { resultType: string } & Parked };
  expect(result?.resultType).toBe('input_required');
  return result!;
}

const ACCEPT = { action: 'accept', content: { name: 'Bo' } };

const answersTo = ({ inputRequests }: Parked, answer: object = ACCEPT) =>
  Object.fromEntries(Object.keys(inputRequests).map((key) => [key, answer]));

const retryOf = (parked: Parked, answer?: object) => ({
  requestState: parked.requestState,
  inputResponses: answersTo(parked, answer),
});

describe('a call of a modern client whose provider asks it something', () => {
  test('is answered with the question, and goes on when the client calls again', async () => {
    const { provider, call } = modernSetup();
    const first = call();
    provider.last.elicit('your name?');
    const parked = await parkedBy(first);
    expect(Object.values(parked.inputRequests)).toEqual([
      {
        method: 'elicitation/create',
        params: { message: 'your name?', requestedSchema: { type: 'object', properties: {} } },
      },
    ]);
    const second = call(retryOf(parked));
    expect(provider.calls).toHaveLength(1);
    expect(provider.last.answers).toEqual([JSON.stringify(ACCEPT)]);
    provider.last.answer('hello Bo');
    expect(await second.answered).toEqual({
      jsonrpc: '2.0',
      id: second.id,
      result: { resultType: 'complete', content: [{ type: 'text', text: 'hello Bo' }] },
    });
  });

  test('puts questions that come together into one answer', async () => {
    const { provider, call } = modernSetup();
    const first = call();
    provider.last.elicit('one');
    provider.last.ask('sampling/createMessage', { messages: [], maxTokens: 1 });
    provider.last.ask('roots/list', {});
    const parked = await parkedBy(first);
    expect(Object.values(parked.inputRequests).map(({ method }) => method)).toEqual([
      'elicitation/create',
      'sampling/createMessage',
      'roots/list',
    ]);
  });

  test('asks what came while the client answered when the client is back', async () => {
    const { provider, call } = modernSetup();
    const first = call();
    provider.last.elicit('one');
    const parked = await parkedBy(first);
    provider.last.elicit('two');
    const { inputRequests } = await parkedBy(call(retryOf(parked)));
    expect(Object.values(inputRequests).map(({ params }) => params.message)).toEqual(['two']);
    expect(provider.last.answers).toEqual([JSON.stringify(ACCEPT)]);
  });

  test('may ask again and again', async () => {
    const { provider, call } = modernSetup();
    let asked = call();
    for (const round of [1, 2, 3]) {
      provider.last.elicit(`round ${round}`);
      asked = call(retryOf(await parkedBy(asked), { action: 'accept', content: { round } }));
    }
    provider.last.answer('done');
    expect(await asked.answered).toMatchObject({ result: { resultType: 'complete' } });
    expect(provider.last.answers).toHaveLength(3);
  });

  test('leaves out what only legacy clients know', async () => {
    const { provider, call } = modernSetup();
    const first = call();
    const params = { mode: 'url', url: 'https://x', message: 'go', elicitationId: 'e1', _meta: { progressToken: 5 } };
    provider.last.ask('elicitation/create', params);
    const [question] = Object.values((await parkedBy(first)).inputRequests);
    expect(question).toEqual({
      method: 'elicitation/create',
      params: { mode: 'url', url: 'https://x', message: 'go' },
    });
  });

  test('hands on a refusal and a cancelled dialog as they are', async () => {
    for (const action of ['decline', 'cancel']) {
      const { provider, call } = modernSetup();
      const first = call();
      provider.last.elicit('sure?');
      call(retryOf(await parkedBy(first), { action }));
      expect(provider.last.answers).toEqual([JSON.stringify({ action })]);
    }
  });

  test('asks once more for what is missing, and leaves alone what nobody asked for', async () => {
    const { provider, call } = modernSetup();
    const first = call();
    provider.last.elicit('one');
    provider.last.elicit('two');
    const parked = await parkedBy(first);
    const [one, two] = Object.keys(parked.inputRequests);
    const second = call({ requestState: parked.requestState, inputResponses: { [one!]: ACCEPT, stranger: {} } });
    const again = await parkedBy(second);
    expect(Object.keys(again.inputRequests)).toEqual([two]);
    expect(again.requestState).not.toBe(parked.requestState);
    const third = call(retryOf(again));
    provider.last.answer('both');
    expect(await third.answered).toMatchObject({ result: { resultType: 'complete' } });
  });

  test('gives the answer that came while the client was away', async () => {
    const { provider, call } = modernSetup();
    const first = call();
    provider.last.elicit('quick!');
    const parked = await parkedBy(first);
    provider.last.answer('went on without you');
    expect(await call(retryOf(parked)).answered).toMatchObject({
      result: { content: [{ text: 'went on without you' }] },
    });
  });

  test('reports progress under the token of the request that is open', async () => {
    const { provider, call } = modernSetup();
    const first = call({}, { meta: { progressToken: 'first' } });
    provider.last.elicit('go on?');
    const second = call(retryOf(await parkedBy(first)), { meta: { progressToken: 'second' } });
    const json = '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":9,"progress":1}}';
    const at = json.indexOf('9,');
    provider.last.call.caller.onProgress(Frame.of(Buffer.from(json)), { start: at, end: at + 1 });
    expect(first.events).toEqual([]);
    expect(second.events).toMatchObject([{ params: { progressToken: 'second', progress: 1 } }]);
  });
});

describe('a requestState', () => {
  const problemOf = async (asked: Asked) => (await asked.answered) as { error?: { code: number; message: string } };

  async function parkedCall(options: Parameters<typeof modernSetup>[0] = {}) {
    const setup = modernSetup(options);
    const first = setup.call();
    setup.provider.last.elicit('?');
    return { ...setup, parked: await parkedBy(first) };
  }

  test('that was changed is refused, and the true one still works', async () => {
    const { call, parked, provider } = await parkedCall();
    const at = parked.requestState.length - 3;
    const changed =
      parked.requestState.slice(0, at) +
      (parked.requestState[at] === 'A' ? 'B' : 'A') +
      parked.requestState.slice(at + 1);
    const refused = await problemOf(call({ ...retryOf(parked), requestState: changed }));
    expect(refused.error).toMatchObject({ code: -32602, message: expect.stringContaining('changed') });
    const second = call(retryOf(parked));
    provider.last.answer('ok');
    expect(await second.answered).toMatchObject({ result: { resultType: 'complete' } });
  });

  test('works once', async () => {
    const { call, parked, provider } = await parkedCall();
    call(retryOf(parked));
    const replayed = await problemOf(call(retryOf(parked)));
    expect(replayed.error).toMatchObject({ code: -32602, message: expect.stringContaining('used already') });
    expect(provider.calls).toHaveLength(1);
    expect(provider.last.answers).toHaveLength(1);
  });

  test('is of no use to another client, with other arguments, or for another tool', async () => {
    const { call, parked, provider } = await parkedCall();
    for (const foreign of [
      call(retryOf(parked), { name: 'somebody else' }),
      call({ ...retryOf(parked), arguments: { a: 2, b: [2] } }),
      call({ ...retryOf(parked), name: 'other' }),
    ]) {
      expect((await problemOf(foreign)).error).toMatchObject({
        code: -32602,
        message: expect.stringContaining('belongs to another'),
      });
    }
    call({ ...retryOf(parked), arguments: { b: [2], a: 1 } });
    expect(provider.last.answers).toHaveLength(1);
  });

  test('of nobody here never starts a call', async () => {
    const { call, provider } = modernSetup();
    const refused = await problemOf(call({ requestState: 'viaduct.older.state', inputResponses: {} }));
    expect(refused.error).toMatchObject({ code: -32602, message: expect.stringContaining('"requestState"') });
    expect(provider.calls).toHaveLength(0);
  });

  test('is taken where no more calls may begin: its call has its place already', async () => {
    const { call, parked, provider, client } = await parkedCall({ calls: 1 });
    expect(await problemOf(call())).toMatchObject({ result: { isError: true } });
    const params = { name: 'tool', arguments: {} };
    const denialOf = (more: object) =>
      client.denialOf(
        read(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, ...more } })),
      );
    expect(denialOf({})).toBe('gateway-full');
    expect(denialOf({ requestState: 'made up' })).toBe('gateway-full');
    expect(denialOf(retryOf(parked))).toBeUndefined();
    const second = call(retryOf(parked));
    provider.last.answer('ok');
    expect(await second.answered).toMatchObject({ result: { resultType: 'complete' } });
    expect(denialOf({})).toBeUndefined();
  });

  test('expires: the provider is told, and a late client hears it', async () => {
    const { call, parked, provider } = await parkedCall({ patienceMs: 30 });
    await expect.poll(() => provider.last.cancelled).toBe('"the client did not answer in time"');
    expect(provider.last.answers).toEqual(['CALL_CANCELLED: The call has ended']);
    const late = await problemOf(call(retryOf(parked)));
    expect(late.error).toMatchObject({ code: -32602, message: expect.stringContaining('expired') });
  });

  test('is not spent by an answer that cannot be one', async () => {
    const { call, parked, provider } = await parkedCall();
    const bad = await problemOf(call(retryOf(parked, { content: {} })));
    expect(bad.error).toMatchObject({ code: -32602, message: expect.stringContaining('"action"') });
    const worse = await problemOf(call({ requestState: parked.requestState, inputResponses: [] }));
    expect(worse.error).toMatchObject({ code: -32602 });
    call(retryOf(parked));
    expect(provider.last.answers).toEqual([JSON.stringify(ACCEPT)]);
  });
});

describe('a modern client', () => {
  test('is never asked for what it cannot do: the call ends with the capability that is missing', async () => {
    const { provider, call } = modernSetup();
    const asked = call({}, { capabilities: { elicitation: { form: {} } } });
    provider.last.ask('elicitation/create', { mode: 'url', url: 'https://x', message: 'go' });
    expect(await asked.answered).toMatchObject({
      error: { code: -32021, data: { requiredCapabilities: { elicitation: { url: {} } } } },
    });
    expect(asked.status).toBe(400);
    expect(provider.last.cancelled).toBeDefined();
    expect(provider.last.answers).toEqual(['CAPABILITY_MISSING: The client does not support elicitation.url']);
  });

  test('that has gone takes its calls with it, parked ones too', async () => {
    const { provider, call, client } = modernSetup({ isOneProgram: true });
    const first = call();
    provider.last.elicit('?');
    await parkedBy(first);
    call();
    client.end();
    expect(provider.calls.map(({ cancelled }) => cancelled)).toEqual([
      '"the client has disconnected"',
      '"the client has disconnected"',
    ]);
  });

  test('may cancel a call that waits for it: its provider is told', async () => {
    const { provider, call } = modernSetup();
    const first = call();
    expect(first.open?.isParked).toBe(false);
    provider.last.elicit('?');
    const parked = await parkedBy(first);
    expect(first.open?.isParked).toBe(true);
    first.open?.cancel('"not any more"');
    expect(provider.last.cancelled).toBe('"not any more"');
    expect(first.open?.isParked).toBe(false);
    expect((await call(retryOf(parked)).answered) as object).toMatchObject({ error: { code: -32602 } });
    expect(provider.calls).toHaveLength(1);
  });

  test('may keep only so many calls waiting', async () => {
    const { provider, call } = modernSetup();
    const park = async () => {
      const asked = call();
      provider.last.elicit('?');
      return (await asked.answered) as unknown as { result: { resultType: string; isError?: boolean } };
    };
    const outcomes = [];
    for (let count = 0; count < 17; count++) outcomes.push(await park());
    expect(outcomes.slice(0, 16).every(({ result }) => result.resultType === 'input_required')).toBe(true);
    expect(outcomes[16]?.result.isError).toBe(true);
    expect(provider.last.cancelled).toBeDefined();
  });

  test('visits URLs that a legacy server demands, and its call is made again', async () => {
    const { provider, call } = modernSetup();
    const first = call();
    const elicitations = [{ mode: 'url', elicitationId: 'e', url: 'https://pay', message: 'pay first' }];
    provider.last.fail(-32042, 'URL elicitation required', { elicitations });
    const parked = await parkedBy(first);
    expect(Object.values(parked.inputRequests)).toEqual([
      { method: 'elicitation/create', params: { mode: 'url', url: 'https://pay', message: 'pay first' } },
    ]);
    const second = call(retryOf(parked, { action: 'accept' }));
    expect(provider.calls).toHaveLength(2);
    provider.last.answer('paid');
    expect(await second.answered).toMatchObject({ result: { content: [{ text: 'paid' }] } });
  });

  test('that will not visit them gets a result that says so', async () => {
    const { provider, call } = modernSetup();
    const first = call();
    provider.last.fail(-32042, 'first', { elicitations: [{ mode: 'url', url: 'https://pay', message: 'pay' }] });
    const second = call(retryOf(await parkedBy(first), { action: 'decline' }));
    expect(await second.answered).toMatchObject({ result: { isError: true } });
    expect(provider.calls).toHaveLength(1);
  });

  test('hears of a resource that does not exist by the code of its era', async () => {
    const { provider, request } = modernSetup();
    const asked = request('resources/read', { uri: 'x://y' });
    provider.last.fail(-32002, 'not here', { uri: 'x://y' });
    expect(await asked.answered).toMatchObject({
      error: { code: -32602, message: 'not here', data: { uri: 'x://y' } },
    });
  });

  test('gets log messages of the severity it asked for with the request, and none if it did not', () => {
    const { provider, call } = modernSetup();
    const say = (level: string) =>
      provider.last.call.caller.onNotification(
        read(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"${level}","data":1}}`),
      );
    const silent = call();
    say('emergency');
    expect(silent.events).toEqual([]);
    const told = call({}, { meta: { 'io.modelcontextprotocol/logLevel': 'warning' } });
    say('info');
    say('error');
    expect(told.events).toMatchObject([{ params: { level: 'error' } }]);
  });

  test('that leaves during a call cancels it', () => {
    const { provider, call, host } = modernSetup();
    const asked = call();
    asked.open?.cancel('"closed"');
    expect(provider.last.cancelled).toBe('"closed"');
    expect(asked.isAbandoned).toBe(true);
    expect(host.quota.openCalls).toBe(0);
  });

  test('can ask questions only of calls that may have them', async () => {
    const { provider, request } = modernSetup();
    request('completion/complete', {
      ref: { type: 'ref/resource', uri: 'x://{y}' },
      argument: { name: 'y', value: '' },
    });
    provider.last.elicit('?');
    expect(provider.last.answers).toEqual(['CAPABILITY_MISSING: completion/complete cannot ask its client anything']);
  });
});

test('a call that ends by an answer is answered once, also where another question is open', async () => {
  const { provider, call, parking } = modernSetup();
  const first = call();
  provider.last.elicit('your name?');
  const elicitations = [{ mode: 'url', message: 'log in', url: 'https://x', elicitationId: 'e' }];
  provider.last.fail(-32042, 'URL elicitation required', { elicitations });
  const parked = await parkedBy(first);
  const [, url] = Object.keys(parked.inputRequests);
  const second = call({ requestState: parked.requestState, inputResponses: { [url!]: { action: 'decline' } } });
  expect(second.replies).toBe(1);
  expect(parking.size).toBe(0);
  expect(await second.answered).toMatchObject({ result: { isError: true } });
});
