import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  connectStdio,
  fixture,
  freshHome,
  linesOf,
  openStdio,
  pidsIn,
  statusOf,
  temporaryFolder,
  upstreams,
  writeConfig,
} from '../../support/gateway.ts';

const ENVELOPE = 'io.modelcontextprotocol/';

/** A gateway before one upstream, the fixture for both eras. */
function before(...flags: string[]) {
  const folder = temporaryFolder();
  const log = path.join(folder, 'log');
  const env = freshHome();
  // In one folder: an entry of a config elsewhere is another one.
  const open = (more: object = {}) =>
    writeConfig({ upstreams: { m: { ...fixture('modern', `--log=${log}`, ...flags), ...more } } }, folder);
  const status = async (more: object = {}): Promise<any> => {
    // With lists from before, it would not wait for the upstream.
    rmSync(path.join(env.VIADUCT_HOME!, 'cache', 'lists'), { recursive: true, force: true });
    return (await statusOf(open(more), env)).upstreams[0];
  };
  /** Methods that it was sent, in order. */
  const heard = () =>
    linesOf(log).flatMap((line) => (line.startsWith('line ') ? [JSON.parse(line.slice(5)).method as string] : []));
  const connect = (capabilities: unknown = {}, more: object = {}) => connectStdio(open(more), { env, capabilities });
  return { log, env, open, status, heard, connect };
}

/** The verdict that is kept for the upstream. */
function verdictFile(env: NodeJS.ProcessEnv): string {
  const folder = path.join(env.VIADUCT_HOME!, 'cache', 'eras');
  return path.join(folder, readdirSync(folder)[0]!);
}

describe('what an upstream speaks', () => {
  test.each([
    ['a modern server', [], '2026-07-28'],
    ['a server of both eras', ['--dual'], '2026-07-28'],
    ['a legacy server', ['--legacy'], '2025-11-25'],
    [
      'a legacy server that answers the question with a strange error',
      ['--legacy', '--on-discover=error'],
      '2025-11-25',
    ],
    ['a modern server that wants to be asked anew', ['--on-discover=unsupported'], '2026-07-28'],
    ['a legacy server that ignores the question', ['--legacy', '--on-discover=silence'], '2025-11-25'],
    ['a modern server that is slow', ['--on-discover=late'], '2026-07-28'],
    ['a server of both eras that is slow: what it opened with counts', ['--dual', '--on-discover=late'], '2025-11-25'],
  ])('%s, found out with one process', async (_what, flags, protocolVersion) => {
    const { status, log } = before(...flags);
    expect(await status({ timeouts: { connectMs: 4_000 } })).toMatchObject({
      state: 'ready',
      protocolVersion,
      starts: 1,
      counts: { tools: 17 },
    });
    expect(pidsIn(log)).toHaveLength(1);
  });

  test('a server that dies of the question is started once more and opened as before', async () => {
    const { status, log, heard } = before('--legacy', '--on-discover=death');
    expect(await status()).toMatchObject({ state: 'ready', protocolVersion: '2025-11-25', starts: 2 });
    expect(heard().slice(0, 2)).toEqual(['server/discover', 'initialize']);
    // Known by now: it is not asked again.
    expect(await status()).toMatchObject({ state: 'ready', starts: 1 });
    expect(pidsIn(log)).toHaveLength(3);
  });

  test('restart: never: it is not started once more, and the status says what to do', async () => {
    const { status, log } = before('--legacy', '--on-discover=death');
    const shown = await status({ restart: 'never' });
    expect(shown).toMatchObject({ state: 'stopped', starts: 1, reason: expect.stringContaining('set "era: legacy"') });
    expect(pidsIn(log)).toHaveLength(1);
  });
});

describe('pinned', () => {
  test('era: legacy: nothing is asked', async () => {
    const { status, heard } = before('--dual');
    expect(await status({ era: 'legacy' })).toMatchObject({ state: 'ready', protocolVersion: '2025-11-25' });
    expect(heard().slice(0, 2)).toEqual(['initialize', 'notifications/initialized']);
  });

  test.each([
    ['a legacy server', ['--legacy'], 'Method not found'],
    ['a server that lists the revision and refuses it', ['--on-discover=refusal'], 'lists protocol version 2026-07-28'],
  ])('era: 2026-07-28 before %s: failed, with what it said', async (_what, flags, said) => {
    const { status, heard } = before(...flags);
    const shown = await status({ era: '2026-07-28' });
    expect(shown).toMatchObject({ state: 'failed', reason: expect.stringContaining(said) });
    expect(heard()).not.toContain('initialize');
  });
});

describe('what was found out is kept', () => {
  test('for a day, and asked again afterwards', async () => {
    const { status, heard, env } = before('--legacy');
    await status();
    await status();
    expect(heard().filter((method) => method === 'server/discover')).toHaveLength(1);
    const file = verdictFile(env);
    const yesterday = new Date(Date.now() - 25 * 3_600_000).toISOString();
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"at":"[^"]*"/, `"at":"${yesterday}"`));
    await status();
    expect(heard().filter((method) => method === 'server/discover')).toHaveLength(2);
  });

  test.each([
    ['legacy', [], '2026-07-28'],
    ['modern', ['--legacy'], '2025-11-25'],
  ])('"%s", and it is not any more: found out on the same process', async (era, flags, protocolVersion) => {
    const { status, env } = before(...flags);
    await status();
    const file = verdictFile(env);
    writeFileSync(file, JSON.stringify({ era, at: new Date().toISOString() }));
    expect(await status()).toMatchObject({ state: 'ready', protocolVersion, starts: 1 });
    expect(JSON.parse(readFileSync(file, 'utf8')).era).not.toBe(era);
  });
});

describe('a legacy client of a modern upstream', () => {
  test("each call has the envelope with this client's words, and nothing of the other era", async () => {
    const { connect } = before();
    const client = await connect({ sampling: { x: 1 } });
    await client.toolNames();
    const params =
      '{"name":"m_envelope","task":{"ttl":1},"_meta":{"k":1.0,"progressToken":"t"},"arguments":{"a":1e400}}';
    const answer = await client.request('tools/call', params);
    const sent = answer.value.result.content[0].text;
    expect(JSON.parse(sent)).toEqual({
      name: 'envelope',
      _meta: {
        [`${ENVELOPE}protocolVersion`]: '2026-07-28',
        [`${ENVELOPE}clientCapabilities`]: { sampling: { x: 1 } },
        [`${ENVELOPE}clientInfo`]: { name: 'raw', version: '1' },
        k: 1,
        progressToken: expect.any(Number),
      },
      arguments: { a: null },
    });
  });

  test("the client's log level travels with its calls", async () => {
    const { connect, heard } = before();
    const client = await connect();
    await client.toolNames();
    await client.request('logging/setLevel', { level: 'error' });
    const sent = JSON.parse(await client.callText('m_envelope'));
    expect(sent._meta[`${ENVELOPE}logLevel`]).toBe('error');
    expect(heard()).not.toContain('logging/setLevel');
  });

  test('neither a ping nor "initialized" is sent, and each request of the gateway has its envelope', async () => {
    const { connect, log, heard } = before();
    const client = await connect();
    await client.toolNames();
    expect(await client.callText('m_echo', { a: 1 })).toBe('echo: {"a":1}');
    expect(heard()).not.toContain('notifications/initialized');
    const lists = linesOf(log).filter((line) => line.includes('tools/list'));
    expect(lists[0]).toContain('"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"');
    expect(lists[0]).toContain('"name":"viaduct"');
  });

  test('progress, cancellation', async () => {
    const { connect, log } = before();
    const client = await connect();
    await client.toolNames();
    await client.request('tools/call', { name: 'm_progress', _meta: { progressToken: 'mine' } });
    expect(client.notifications('notifications/progress').map(({ value }) => value.params.progressToken)).toEqual([
      'mine',
    ]);
    void client.request('tools/call', { name: 'm_wait' }, '77').catch(() => undefined);
    await expect.poll(() => linesOf(log).some((line) => line.includes('"name":"wait"'))).toBe(true);
    client.notify('notifications/cancelled', { requestId: 77 });
    await expect.poll(() => linesOf(log).some((line) => line.startsWith('cancelled '))).toBe(true);
  });

  test('errors that speak of another hop do not arrive as they are', async () => {
    const { connect } = before();
    const client = await connect();
    await client.toolNames();
    for (const code of [-32020, -32022]) {
      const { value } = await client.request('tools/call', { name: 'm_refused', arguments: { code } });
      expect(value.error).toMatchObject({ code: -32603, message: expect.stringContaining('Header mismatch') });
    }
    expect(await client.call('m_needs')).toMatchObject({
      isError: true,
      content: [{ text: 'm: it needs a client that supports elicitation.url, roots.' }],
      _meta: { 'viaduct/gateway': { reason: 'capability_missing', effect: 'none' } },
    });
    expect(await client.call('m_weird')).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('"task"') }],
    });
  });
});

describe('a modern upstream that asks a legacy client', () => {
  const ALL = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };

  test('gets the answer byte for byte, with its state as it was', async () => {
    const { connect, log } = before();
    const client = await connect(ALL);
    await client.toolNames();
    const raw = '{ "action":"accept","content":{"name":"Zoë","n":1.0, "big":12345678901234567890} }';
    const call = client.request('tools/call', { name: 'm_ask' });
    const ask = await client.waitFor(({ value }) => value.method === 'elicitation/create');
    client.write(`{"jsonrpc":"2.0","id":${ask.value.id},"result":${raw}}`);
    expect((await call).value.result.content[0].text).toBe(`{"who":${raw}}`);
    const retry = linesOf(log).findLast((line) => line.includes('inputResponses'))!;
    expect(retry).toContain('"requestState":"state \\"é\\":1"');
  });

  test('several things at once', async () => {
    const { connect } = before();
    const client = await connect(ALL);
    client.answers.set('elicitation/create', () => ({ action: 'decline' }));
    client.answers.set('sampling/createMessage', () => ({
      role: 'assistant',
      content: { type: 'text', text: 'y' },
      model: 'z',
    }));
    client.answers.set('roots/list', () => ({ roots: [] }));
    await client.toolNames();
    expect(JSON.parse(await client.callText('m_ask-all'))).toEqual({
      who: { action: 'decline' },
      text: { role: 'assistant', content: { type: 'text', text: 'y' }, model: 'z' },
      roots: { roots: [] },
    });
  });

  test('by URL: the client gets an id, as clients of its era need one', async () => {
    const { connect } = before();
    const client = await connect(ALL);
    const ids: unknown[] = [];
    client.answers.set('elicitation/create', (params) => {
      ids.push(params.elicitationId);
      return { action: 'accept' };
    });
    await client.toolNames();
    expect(await client.callText('m_ask-url')).toContain('accept');
    expect(ids).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  });

  test.each([
    ['8 rounds', 'm_ask', 8, '{"who":{"action":"accept"}}'],
    ['a 9th', 'm_ask', 9, 'it still asks for input after 8 rounds'],
    ['8 tries without a question', 'm_ask-nothing', 8, 'after 8'],
  ])('%s', async (_what, name, rounds, text) => {
    const { connect } = before();
    const client = await connect(ALL);
    client.answers.set('elicitation/create', () => ({ action: 'accept' }));
    await client.toolNames();
    expect(await client.callText(name, { rounds })).toContain(text);
  });

  test('one without the capability: the result names it', async () => {
    const { connect } = before();
    const client = await connect({ sampling: {} });
    await client.toolNames();
    const result = await client.call('m_ask-all');
    expect(result).toMatchObject({ isError: true, _meta: { 'viaduct/gateway': { reason: 'capability_missing' } } });
    expect(result.content[0].text).toContain('does not support elicitation');
    const prompt = await client.request('prompts/get', { name: 'm_greet' });
    expect(prompt.value.error).toMatchObject({ message: expect.stringContaining('does not support elicitation') });
  });

  test('one that answers with an error: the call says so', async () => {
    const { connect } = before();
    const client = await connect(ALL);
    await client.toolNames();
    const call = client.call('m_ask');
    const ask = await client.waitFor(({ value }) => value.method === 'elicitation/create');
    client.write(`{"jsonrpc":"2.0","id":${ask.value.id},"error":{"code":-1,"message":"no time"}}`);
    expect((await call).content[0].text).toContain('with an error: no time');
  });

  test('who cancels is asked no more, and the call is not made again', async () => {
    const { connect, log } = before();
    const client = await connect(ALL);
    await client.toolNames();
    void client.request('tools/call', { name: 'm_ask' }, '9').catch(() => undefined);
    const ask = await client.waitFor(({ value }) => value.method === 'elicitation/create');
    client.notify('notifications/cancelled', { requestId: 9 });
    await client.waitFor(
      ({ value }) => value.method === 'notifications/cancelled' && value.params.requestId === ask.value.id,
    );
    client.write(`{"jsonrpc":"2.0","id":${ask.value.id},"result":{"action":"accept"}}`);
    await client.callText('m_echo');
    expect(linesOf(log).some((line) => line.includes('inputResponses'))).toBe(false);
  });

  test.each(['modern', 'talkative'])(
    'the limits of a call stand still while its client is asked (%s)',
    async (server) => {
      const entry = { ...fixture(server), timeouts: { callMs: 1_000, totalMs: 1_500 } };
      const client = await connectStdio(upstreams({ s: entry }), { capabilities: ALL });
      await client.toolNames();
      const call = client.callText(server === 'modern' ? 's_ask' : 's_elicit', { text: 'x' });
      const ask = await client.waitFor(({ value }) => value.method === 'elicitation/create');
      // Longer than the limits, on purpose: there is no event for "nothing has happened".
      await new Promise((resolve) => setTimeout(resolve, 1_800));
      client.write(`{"jsonrpc":"2.0","id":${ask.value.id},"result":{"action":"accept"}}`);
      expect(await call).toContain('accept');
    },
  );
});

describe('results of a modern upstream, for a legacy client', () => {
  test('have nothing of the other era, and are the same bytes otherwise', async () => {
    const { connect } = before();
    const client = await connect();
    await client.toolNames();
    const list = await client.request('tools/call', { name: 'm_list' }, '5');
    expect(list.text).toBe(
      '{"jsonrpc":"2.0","id":5,"result":{"content":[],"structuredContent":{"result":[1,2.0, 3]}}}',
    );
    const read = await client.request('resources/read', { uri: 'm://one' }, '6');
    expect(read.text).toBe('{"jsonrpc":"2.0","id":6,"result":{"contents":[{"uri":"m://one","text":"x"}]}}');
  });

  test('and so have its tools: output schemas of objects only, no tasks', async () => {
    const { connect } = before();
    const client = await connect();
    const { tools } = (await client.request('tools/list')).value.result;
    const named = (name: string) => tools.find((tool: any) => tool.name === name);
    expect(named('m_list')).toEqual({ name: 'm_list', inputSchema: { type: 'object' } });
    expect(named('m_slow')).toEqual({ name: 'm_slow', inputSchema: { type: 'object' } });
  });
});

describe('changes of a modern upstream', () => {
  const listens = (log: string) => linesOf(log).filter((line) => line.startsWith('listen '));

  test('of its lists reach clients', async () => {
    const { connect, log } = before();
    const client = await connect();
    await client.toolNames();
    await client.callText('m_change', { name: 'added' });
    await client.waitFor(({ value }) => value.method === 'notifications/tools/list_changed');
    expect(await client.toolNames()).toContain('m_added');
    expect(listens(log)).toEqual([expect.stringMatching(/ \{"toolsListChanged":true,"resourcesListChanged":true\}$/)]);
  });

  test('of resources reach those who subscribed, on one stream, unstamped', async () => {
    const { connect, log, heard } = before();
    const client = await connect();
    await client.toolNames();
    for (const uri of ['m://one', 'm://two'])
      expect((await client.request('resources/subscribe', { uri })).value.result).toEqual({});
    await client.callText('m_touch', { uri: 'm://two' });
    await client.callText('m_touch', { uri: 'm://three' });
    const updates = client.notifications('notifications/resources/updated');
    expect(updates.map(({ value }) => value.params)).toEqual([{ uri: 'm://two' }]);
    expect(listens(log).at(-1)).toContain('"resourceSubscriptions":["m://one","m://two"]');
    expect(linesOf(log).filter((line) => line.startsWith('unlisten '))).toHaveLength(listens(log).length - 1);
    await client.request('resources/unsubscribe', { uri: 'm://one' });
    await expect.poll(() => listens(log).at(-1)).toContain('"resourceSubscriptions":["m://two"]');
    expect(heard().filter((method) => method.startsWith('resources/') && method.endsWith('subscribe'))).toEqual([]);
  });

  test('a stream that ends is opened again, and what was missed is read', async () => {
    const { connect, log } = before();
    const client = await connect();
    await client.toolNames();
    await client.callText('m_end-listen');
    await client.callText('m_change', { name: 'added' });
    await client.waitFor(({ value }) => value.method === 'notifications/tools/list_changed');
    // It is noted by another process.
    await expect.poll(() => listens(log).length).toBe(2);
    expect(await client.toolNames()).toContain('m_added');
  });

  test('are not heard of where it has no such stream, and nothing else suffers', async () => {
    const { connect, heard } = before('--deaf');
    const client = await connect();
    await client.toolNames();
    expect((await client.request('resources/subscribe', { uri: 'm://one' })).value.error).toMatchObject({
      code: -32601,
      message: expect.stringContaining('does not tell of changes'),
    });
    expect(await client.callText('m_echo')).toBe('echo: {}');
    expect(heard().filter((method) => method === 'subscriptions/listen')).toHaveLength(1);
  });
});

describe('a modern client', () => {
  const meta = (more: object = {}) => ({
    _meta: { [`${ENVELOPE}protocolVersion`]: '2026-07-28', [`${ENVELOPE}clientCapabilities`]: { roots: {} }, ...more },
  });

  test('of a modern upstream: its own envelope arrives, and answers are passed on as they are', async () => {
    const { open, env } = before();
    const client = await openStdio(open(), env);
    const list = await client.request('tools/list', meta());
    expect(list.value.result.tools.find((tool: any) => tool.name === 'm_list').outputSchema.type).toBe('array');
    const sent = await client.request('tools/call', { name: 'm_envelope', x: 1, ...meta({ k: 1 }) });
    expect(JSON.parse(sent.value.result.content[0].text)).toEqual({ name: 'envelope', x: 1, ...meta({ k: 1 }) });
    const asked = await client.request('tools/call', { name: 'm_ask', ...meta() });
    expect(asked.value.result).toMatchObject({ resultType: 'input_required', requestState: 'state "é":1' });
    const inputResponses = { who: { action: 'accept' } };
    const params = { name: 'm_ask', inputResponses, requestState: 'state "é":1', ...meta() };
    expect((await client.request('tools/call', params)).value.result.content[0].text).toBe(
      JSON.stringify(inputResponses),
    );
    const needs = await client.request('tools/call', { name: 'm_needs', ...meta() });
    expect(needs.value.error).toMatchObject({ code: -32021, data: { requiredCapabilities: { roots: {} } } });
    const refused = await client.request('tools/call', { name: 'm_refused', arguments: { code: -32022 }, ...meta() });
    expect(refused.value.error.code).toBe(-32603);
  });

  test('of a legacy upstream: the most talkative level of its calls is asked for, once', async () => {
    const { open, env, log } = before('--legacy');
    const client = await openStdio(open(), env);
    await client.request('tools/list', meta());
    for (const logLevel of ['warning', 'error', 'debug', 'info']) {
      await client.request('tools/call', { name: 'm_echo', ...meta({ [`${ENVELOPE}logLevel`]: logLevel }) });
    }
    expect(linesOf(log).filter((line) => line.startsWith('level '))).toEqual(['level warning', 'level debug']);
  });
});
