import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RawClient } from '../../support/clients/raw-client.ts';
import {
  connectStdio,
  fixture,
  linesOf,
  openServe,
  openStdio,
  pidsIn,
  temporaryFolder,
  upstreams,
} from '../../support/gateway.ts';
import { isAlive } from '../../support/processes.ts';

const ALL = { roots: { listChanged: true }, sampling: {}, elicitation: { form: {}, url: {} } };

interface Gateway {
  /** Another client of the same gateway. */
  connect(capabilities?: unknown): Promise<RawClient>;
  readonly log: string;
}

/** A running gateway in front of `talkative`, for several clients. */
async function startShared(extra: object = {}): Promise<Gateway> {
  const log = path.join(temporaryFolder(), 'log');
  const config = upstreams({ t: { ...fixture('talkative', `--log=${log}`), ...extra } });
  const { env } = await openServe(config);
  return {
    log,
    connect: async (capabilities = ALL) => {
      const client = await connectStdio(config, { env, capabilities });
      await expect.poll(() => client.toolNames()).toContain('t_echo');
      return client;
    },
  };
}

async function connectAlone(capabilities: unknown = ALL): Promise<{ client: RawClient; log: string }> {
  const log = path.join(temporaryFolder(), 'log');
  const client = await connectStdio(upstreams({ t: fixture('talkative', `--log=${log}`) }), { capabilities });
  await expect.poll(() => client.toolNames()).toContain('t_echo');
  return { client, log };
}

describe('progress', () => {
  test.each([
    ['a string', '"x"'],
    ['a number', '7'],
  ])('goes to its call under the client’s own token: %s', async (_what, token) => {
    const { client } = await connectAlone();
    await client.request(
      'tools/call',
      `{"name":"t_progress","arguments":{"steps":3,"nonce":"n"},"_meta":{"progressToken":${token}}}`,
    );
    const seen = client.notifications('notifications/progress');
    expect(seen.map((message) => message.value.params.progress)).toEqual([1, 2, 3]);
    for (const message of seen) expect(message.text).toContain(`"progressToken":${token}`);
  });

  test('none comes when none was asked for', async () => {
    const { client } = await connectAlone();
    await client.call('t_progress', { steps: 3, nonce: 'n' });
    expect(client.notifications('notifications/progress')).toEqual([]);
  });

  test('equal tokens of two clients do not mix', async () => {
    const gateway = await startShared();
    const [a, b] = [await gateway.connect(), await gateway.connect()];
    const call = (client: RawClient, nonce: string) =>
      client.request(
        'tools/call',
        { name: 't_progress', arguments: { steps: 5, nonce }, _meta: { progressToken: 1 } },
        '1',
      );
    await Promise.all([call(a, 'for-a'), call(b, 'for-b')]);
    const messages = (client: RawClient) =>
      client.notifications('notifications/progress').map((message) => message.value.params.message);
    expect(messages(a)).toEqual(Array(5).fill('for-a'));
    expect(messages(b)).toEqual(Array(5).fill('for-b'));
  });
});

describe('cancellation', () => {
  test('reaches the upstream under its own id, and no answer follows', async () => {
    const { client, log } = await connectAlone();
    client.write(
      '{"jsonrpc":"2.0","id":"mine","method":"tools/call","params":{"name":"t_wait","arguments":{"ms":20000}}}',
    );
    await expect.poll(() => linesOf(log).some((line) => line.startsWith('call wait'))).toBe(true);
    client.notify('notifications/cancelled', { requestId: 'mine', reason: 'changed my mind' });
    await expect.poll(() => linesOf(log).some((line) => line.startsWith('cancelled '))).toBe(true);
    const upstreamId = /call wait (\d+)/.exec(linesOf(log).join('\n'))![1];
    expect(linesOf(log)).toContain(`cancelled ${upstreamId}`);
    expect(linesOf(log).find((line) => line.includes('notifications/cancelled'))).toContain('changed my mind');
    await client.callText('t_echo', { text: 'after' });
    expect(client.messages.some((message) => message.value.id === 'mine')).toBe(false);
  });

  test('one client cannot cancel the call of another', async () => {
    const gateway = await startShared();
    const [a, b] = [await gateway.connect(), await gateway.connect()];
    const waiting = a.request('tools/call', { name: 't_wait', arguments: { ms: 300 } }, '"same"');
    b.notify('notifications/cancelled', { requestId: 'same' });
    expect((await waiting).value.result.content[0].text).toBe('waited');
  });

  test('a client that leaves takes its calls along', async () => {
    const gateway = await startShared();
    const [a, b] = [await gateway.connect(), await gateway.connect()];
    a.write('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t_wait","arguments":{"ms":60000}}}');
    await expect.poll(() => linesOf(gateway.log).some((line) => line.startsWith('call wait'))).toBe(true);
    a.end();
    await expect.poll(() => linesOf(gateway.log).some((line) => line.startsWith('cancelled '))).toBe(true);
    expect(await b.callText('t_echo', { text: 'here' })).toBe('talkative: here');
  });
});

describe('what an upstream asks', () => {
  test.each([
    [
      'sampling',
      't_sample',
      'sampling/createMessage',
      { role: 'assistant', content: { type: 'text', text: 'yes' }, model: 'm' },
    ],
    ['elicitation', 't_elicit', 'elicitation/create', { action: 'accept', content: { name: 'Ada' } }],
    ['roots', 't_roots', 'roots/list', { roots: [{ uri: 'file:///home/ada', name: 'home' }] }],
  ])('%s is asked of the client whose call it is, and of no other', async (_what, tool, method, result) => {
    const gateway = await startShared();
    const [a, b] = [await gateway.connect(), await gateway.connect()];
    a.answers.set(method, () => result);
    b.answers.set(method, () => ({ wrong: 'client' }));
    const asked = b.messages.length;
    expect(JSON.parse(await a.callText(tool, { text: 'please' }))).toEqual(result);
    expect(b.messages.slice(asked).filter((message) => message.value.method === method)).toEqual([]);
  });

  test('two clients at once each get their own question', async () => {
    const gateway = await startShared();
    const [a, b] = [await gateway.connect(), await gateway.connect()];
    for (const [client, name] of [
      [a, 'A'],
      [b, 'B'],
    ] as const) {
      client.answers.set('elicitation/create', ({ message }) => ({
        action: 'accept',
        content: { name: `${name} answers ${message}` },
      }));
    }
    const ask = (client: RawClient, nonce: string) => client.callText('t_elicit', { text: nonce });
    expect(await ask(a, 'first')).toContain('A answers first');
    const answers = await Promise.all([ask(a, 'q1'), ask(b, 'q2'), ask(a, 'q3'), ask(b, 'q4')]);
    expect(answers.map((text) => JSON.parse(text).content.name)).toEqual([
      'A answers q1',
      'B answers q2',
      'A answers q3',
      'B answers q4',
    ]);
  });

  test('a client that cannot answer: an error that names the capability, never a hang', async () => {
    const { client } = await connectAlone({});
    expect(await client.callText('t_sample', { text: 'x' })).toContain('The client does not support sampling');
    expect(await client.callText('t_elicit', { text: 'x' })).toContain('The client does not support elicitation');
  });

  test('elicitation by URL needs its own capability, and its completion reaches the same client', async () => {
    const gateway = await startShared();
    const [a, b] = [await gateway.connect(), await gateway.connect({ elicitation: {} })];
    a.answers.set('elicitation/create', () => ({ action: 'accept' }));
    expect(await b.callText('t_elicit-url', { text: 'e1' })).toContain('elicitation.url');
    expect(await a.callText('t_elicit-url', { text: 'e2' })).toContain('accept');
    await a.waitFor((message) => message.value.method === 'notifications/elicitation/complete');
    expect(b.notifications('notifications/elicitation/complete')).toEqual([]);
  });

  test('a question that may be of several calls keeps one of them waiting, and not all', async () => {
    const gateway = await startShared({ maxConcurrency: 4 }); // two of them may wait for their client
    const client = await gateway.connect();
    const call = (nonce: string, args: object) => client.callText('t_nonce', { nonce, ...args });
    const others = ['1', '2', '3'].map((nonce) => call(nonce, { ms: 300 }));
    const asking = [call('first', { ask: true })];
    expect(await Promise.all(others)).toEqual(['1', '2', '3']);
    asking.push(call('second', { ask: true }));
    const asked = ({ value }: { value: any }) => value.method === 'elicitation/create' && value.params.message;
    const askOf = (index: number, nonce: string) =>
      Promise.race([
        client.waitFor((message) => asked(message) === nonce),
        asking[index]!.then((text): never => expect.unreachable(text)),
      ]);
    // Both, before either is answered.
    for (const { value } of await Promise.all([askOf(0, 'first'), askOf(1, 'second')])) {
      client.write(`{"jsonrpc":"2.0","id":${JSON.stringify(value.id)},"result":{"action":"accept"}}`);
    }
    expect(await Promise.all(asking)).toEqual(['first {"action":"accept"}', 'second {"action":"accept"}']);
  });

  test('300 interleaved calls of three clients with progress and questions: everything stays with its own', async () => {
    const gateway = await startShared();
    const clients = await Promise.all(['A', 'B', 'C'].map(async (name) => ({ name, client: await gateway.connect() })));
    for (const { name, client } of clients) {
      client.answers.set('elicitation/create', ({ message }) => ({ action: 'accept', content: { by: name, message } }));
    }
    await clients[0]!.client.callText('t_nonce', { nonce: 'A-learn', ask: true });
    const runs = clients.flatMap(({ name, client }) =>
      Array.from({ length: 100 }, async (_, index) => {
        const nonce = `${name}-${index}`;
        const params = {
          name: 't_nonce',
          arguments: { nonce, ask: index % 10 === 0, ms: index % 3 },
          _meta: { progressToken: index },
        };
        const answer = await client.request('tools/call', params, String(1000 + index));
        return { name, nonce, text: answer.value.result.content[0].text as string, asked: index % 10 === 0 };
      }),
    );
    for (const { name, nonce, text, asked } of await Promise.all(runs)) {
      if (asked)
        expect(JSON.parse(text.slice(nonce.length))).toEqual({
          action: 'accept',
          content: { by: name, message: nonce },
        });
      else expect(text).toBe(nonce);
    }
    for (const { name, client } of clients) {
      const foreign = client.messages.filter(({ text }) => /"[ABC]-\d+/.test(text) && !text.includes(`"${name}-`));
      expect(foreign).toEqual([]);
    }
  });
});

describe('logging', () => {
  test('messages of a call go to its client, from the level it has set, while no other has used the upstream', async () => {
    const gateway = await startShared();
    const [a, b] = [await gateway.connect(), await gateway.connect()];
    await a.request('logging/setLevel', { level: 'warning' });
    await b.request('logging/setLevel', { level: 'debug' });
    await expect.poll(() => linesOf(gateway.log)).toContain('level debug');
    await a.call('t_log', { level: 'info', data: 'too quiet' });
    await a.call('t_log', { level: 'error', data: 'loud enough' });
    await b.call('t_log', { level: 'info', data: 'for b' });
    const data = (client: RawClient) =>
      client.notifications('notifications/message').map((message) => message.value.params.data);
    expect(data(a)).toEqual(['loud enough']);
    // Over stdio it could be a late one of the other client's call.
    expect(data(b)).toEqual([]);
  });

  test('a level that does not exist is refused', async () => {
    const { client } = await connectAlone();
    expect((await client.request('logging/setLevel', { level: 'loud' })).value.error.code).toBe(-32602);
  });
});

describe('prompts, resources and completion', () => {
  const two = () => upstreams({ one: fixture('talkative', '--label=one'), two: fixture('talkative', '--label=two') });

  async function connectTwo(): Promise<RawClient> {
    const client = await connectStdio(two());
    await expect.poll(() => client.toolNames()).toEqual(expect.arrayContaining(['one_echo', 'two_echo']));
    return client;
  }

  test('prompts of all upstreams, each answered by its own', async () => {
    const client = await connectTwo();
    const { prompts } = (await client.request('prompts/list')).value.result;
    expect(prompts.map((prompt: any) => prompt.name)).toEqual(['one_greet', 'two_greet']);
    const answer = await client.request('prompts/get', { name: 'two_greet', arguments: { who: 'Ada' } });
    expect(answer.value.result.messages[0].content.text).toBe('two greets Ada');
  });

  test('resources of all upstreams; one that both have is reachable twice', async () => {
    const client = await connectTwo();
    const { resources } = (await client.request('resources/list')).value.result;
    const uris = resources.map((resource: any) => resource.uri);
    expect(uris).toEqual(['one://one/one', 'shared://one/same', 'two://two/one', 'shared://two/same']);
    const read = async (uri: string) => (await client.request('resources/read', { uri })).value.result.contents[0].text;
    expect(await read('two://two/one')).toBe('two has two://one');
    expect(await read('shared://one/same')).toBe('one has shared://same');
    expect(await read('shared://two/same')).toBe('two has shared://same');
    // As a server may write them in a text.
    expect(await read('two://one')).toBe('two has two://one');
    // It belongs to the one that listed it first, and stays with it.
    const shared = await read('shared://same');
    expect(shared).toMatch(/^(one|two) has shared:\/\/same$/);
    expect(await read('shared://same')).toBe(shared);
  });

  test('templates, and resources that are in no list', async () => {
    const client = await connectTwo();
    const { resourceTemplates } = (await client.request('resources/templates/list')).value.result;
    expect(resourceTemplates.map((template: any) => template.uriTemplate)).toEqual([
      'one://one/item/{id}',
      'two://two/item/{id}',
    ]);
    const read = async (uri: string) => (await client.request('resources/read', { uri })).value;
    expect((await read('two://two/item/5')).result.contents[0].text).toBe('two has two://item/5');
    expect((await read('two://item/5')).result.contents[0].text).toBe('two has two://item/5');
    expect((await read('only-two:x')).result.contents[0].text).toBe('two has only-two:x');
    expect((await read('nobody:x')).error).toMatchObject({ code: -32002 });
  });

  test('completion of a prompt and of a template', async () => {
    const client = await connectTwo();
    const complete = async (ref: unknown) =>
      (await client.request('completion/complete', { ref, argument: { name: 'who', value: 'A' } })).value.result
        .completion.values;
    expect(await complete({ type: 'ref/prompt', name: 'two_greet' })).toEqual(['two:greet:A']);
    expect(await complete({ type: 'ref/resource', uri: 'one://item/{id}' })).toEqual(['one:one://item/{id}:A']);
  });

  test('subscriptions: only subscribers hear, and the upstream is told of the first and the last', async () => {
    const gateway = await startShared();
    const [a, b] = [await gateway.connect(), await gateway.connect()];
    const uri = 'talkative://one';
    for (const client of [a, b]) await client.request('resources/subscribe', { uri });
    await a.call('t_touch', { uri });
    await Promise.all(
      [a, b].map((client) => client.waitFor((message) => message.value.method === 'notifications/resources/updated')),
    );
    await a.request('resources/unsubscribe', { uri });
    expect(linesOf(gateway.log)).not.toContain(`unsubscribe ${uri}`);
    await b.call('t_touch', { uri });
    await expect.poll(() => b.notifications('notifications/resources/updated').length).toBe(2);
    expect(a.notifications('notifications/resources/updated')).toHaveLength(1);
    b.end();
    await expect.poll(() => linesOf(gateway.log)).toContain(`unsubscribe ${uri}`);
  });
});

describe('one process for all clients, or one for each', () => {
  test('share: gateway counts for all, share: session for each', async () => {
    const shared = await startShared();
    const [a, b] = [await shared.connect(), await shared.connect()];
    expect([await a.callText('t_count'), await b.callText('t_count')]).toEqual(['1', '2']);

    const separate = await startShared({ share: 'session' });
    const [c, d] = [await separate.connect(), await separate.connect()];
    expect([await c.callText('t_count'), await d.callText('t_count'), await c.callText('t_count')]).toEqual([
      '1',
      '1',
      '2',
    ]);
  });

  test('with share: session a question outside of a call still finds its client, and the process ends with it', async () => {
    const gateway = await startShared({ share: 'session' });
    const a = await gateway.connect();
    a.answers.set('roots/list', () => ({ roots: [{ uri: 'file:///a' }] }));
    expect(await a.callText('t_roots')).toContain('file:///a');
    // The process that was begun before there was a client was told that clients can do everything: it has gone, too.
    const pids = pidsIn(gateway.log);
    expect(pids).toHaveLength(2);
    a.end();
    for (const pid of pids) await expect.poll(() => isAlive(pid)).toBe(false);
  });
});

describe('requests that make no sense', () => {
  test.each([
    [
      'an unknown tool',
      'tools/call',
      { name: 'nobody_nothing', arguments: {} },
      -32602,
      'Unknown tool: nobody_nothing',
    ],
    ['no name', 'tools/call', { arguments: {} }, -32602, '"params.name" must be a string'],
    ['an unknown prompt', 'prompts/get', { name: 'nobody' }, -32602, 'Unknown prompt: nobody'],
    ['an unknown method', 'tools/destroy', {}, -32601, 'Method not found: tools/destroy'],
    ['an unknown cursor', 'tools/list', { cursor: 'x' }, -32602, 'unknown cursor'],
  ])('%s', async (_what, method, params, code, message) => {
    const { client } = await connectAlone();
    const { error } = (await client.request(method, params)).value;
    expect(error.code).toBe(code);
    expect(error.message).toContain(message);
  });

  test('an id that is in use, a member twice, a broken line, no object', async () => {
    const { client } = await connectAlone();
    const waiting = client.request('tools/call', { name: 't_wait', arguments: { ms: 200 } }, '5');
    client.write('{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"t_echo","arguments":{"text":"x"}}}');
    expect((await waiting).value.error).toMatchObject({ code: -32600, message: expect.stringContaining('in use') });
    const errorFor = async (line: string) => {
      const from = client.messages.length;
      client.write(line);
      return (await client.waitFor((message) => message.value.error !== undefined, from)).value.error;
    };
    expect((await errorFor('{"jsonrpc":"2.0","id":6,"method":"ping","method":"tools/list"}')).message).toContain(
      '"method" occurs twice',
    );
    expect((await errorFor('{"jsonrpc":"2.0","id":7')).code).toBe(-32700);
    expect((await errorFor('42')).code).toBe(-32600);
    const far = `${'x'.repeat(5_000)}\\x`;
    expect(
      (await errorFor(`{"jsonrpc":"2.0","id":8,"method":"logging/setLevel","params":{"level":"${far}"}}`)).code,
    ).toBe(-32700);
    const twice = '{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"t_echo","name":"t_wait"}}';
    expect((await errorFor(twice)).code).toBe(-32600);
    expect(await client.callText('t_echo', { text: 'fine' })).toBe('talkative: fine');
  });

  test('a batch: of a client whose revision has them, an empty one, and of one that does not have them', async () => {
    const client = await openStdio(upstreams({}));
    await client.initialize({}, '2025-03-26');
    const from = client.messages.length;
    client.write('[{"jsonrpc":"2.0","id":"b1","method":"ping"},{"jsonrpc":"2.0","id":"b2","method":"nothing"}]');
    await client.waitFor((message) => message.value.id === 'b2', from);
    expect(client.messages.slice(from).map(({ value }) => [value.id, value.error?.code])).toEqual([
      ['b1', undefined],
      ['b2', -32601],
    ]);
    client.write('[]');
    expect((await client.waitFor((message) => message.value.id === null, from)).value.error.code).toBe(-32600);

    const newer = await openStdio(upstreams({}));
    await newer.initialize();
    newer.write('[{"jsonrpc":"2.0","id":"b1","method":"ping"}]');
    expect((await newer.waitFor((message) => message.value.id === null)).value.error.code).toBe(-32600);
  });
});
