import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ALL_WAYS, ProfileSite, type WayClient } from '../../support/clients/profile-clients.ts';
import { fixture, viaduct } from '../../support/gateway.ts';
import { exchange, HttpSession } from '../../support/http/http-client.ts';
import { ModernHttpClient } from '../../support/http/modern-http-client.ts';

const CONFIG = {
  enabledWorkflows: ['gateway'],
  upstreams: {
    a: fixture('talkative', '--label=aaa'),
    b: fixture('talkative', '--label=bbb'),
    off: { command: 'nothing', disabled: true },
  },
  lists: { graceMs: 20_000 },
  profiles: {
    'only-a': { upstreams: ['a'], tools: { deny: ['a_count', 'a_log', 'a_ghost'] } },
    bare: { upstreams: [], workflows: [] },
  },
};

/** One gateway for all of these tests: none of them changes anything. */
let site: ProfileSite;
const ends: (() => void | Promise<void>)[] = [];

beforeAll(async () => {
  site = await ProfileSite.open(CONFIG, (end) => ends.push(end));
});

afterAll(async () => {
  for (const end of ends) await end();
});

describe.each(ALL_WAYS)('a %s client of a profile, %s', (era, way) => {
  let client: WayClient;
  const ask = (method: string, params?: object) => client.ask(method, params);
  const call = (name: string, args: object = {}) => ask('tools/call', { name, arguments: args });

  beforeAll(async () => {
    client = await site.connect(era, way, 'only-a');
  });

  test('is listed what it may see, and nothing else', async () => {
    const tools = (await ask('tools/list')).result.tools.map(({ name }: { name: string }) => name);
    expect(tools).toContain('a_echo');
    expect(tools).toContain('viaduct_why');
    expect(tools.filter((name: string) => /^b_|_count$|_log$/.test(name))).toEqual([]);
    expect((await ask('prompts/list')).result.prompts).toMatchObject([{ name: 'a_greet' }]);
    expect((await ask('resources/list')).result.resources).toMatchObject([
      { uri: 'aaa://a/one' },
      { uri: 'shared://a/same' },
    ]);
    expect((await ask('resources/templates/list')).result.resourceTemplates).toMatchObject([
      { uriTemplate: 'aaa://a/item/{id}' },
    ]);
  });

  test('calls what it may call', async () => {
    expect((await call('a_echo', { text: 'x' })).result.content[0].text).toBe('aaa: x');
    expect((await ask('prompts/get', { name: 'a_greet', arguments: { who: 'me' } })).result.messages).toHaveLength(1);
    expect((await ask('resources/read', { uri: 'aaa://a/one' })).result.contents[0].text).toBe('aaa has aaa://one');
  });

  test.each([
    ['a tool of another upstream', 'tools/call', 'name', 'b_echo', 'n_echo'],
    ['a denied tool', 'tools/call', 'name', 'a_count', 'a_ghost'],
    ['a prompt', 'prompts/get', 'name', 'b_greet', 'n_greet'],
    ['a task', 'tasks/get', 'taskId', 'b/1', 'n/1'],
  ])('hears of %s that it may not see what it hears of one that does not exist', async (...row) => {
    const [, method, member, hidden, absent] = row;
    const [one, other] = [await ask(method, { [member]: hidden }), await ask(method, { [member]: absent })];
    expect(one.error).toBeDefined();
    expect(JSON.stringify(one.error).replaceAll(hidden, absent)).toBe(JSON.stringify(other.error));
  });

  test('reads no resource of what it may not see', async () => {
    for (const uri of [
      'bbb://one',
      'bbb://b/one',
      'bbb://b/item/1',
      'bbb://item/1',
      'shared://b/same',
      'viaduct://b/x:y',
      'only-bbb:x',
    ]) {
      const answer = await ask('resources/read', { uri });
      expect(answer.error ?? answer.result.isError).toBeDefined();
      expect(JSON.stringify(answer)).not.toContain('bbb has');
    }
  });

  test('gets no completions of what it may not see', async () => {
    const complete = (ref: object) => ask('completion/complete', { ref, argument: { name: 'who', value: 'v' } });
    const prompt = await complete({ type: 'ref/prompt', name: 'a_greet' });
    expect(prompt.result.completion.values).toEqual(['aaa:greet:v']);
    for (const ref of [
      { type: 'ref/prompt', name: 'b_greet' },
      { type: 'ref/resource', uri: 'bbb://item/{id}' },
    ]) {
      expect(JSON.stringify(await complete(ref))).not.toContain('"bbb:');
    }
  });

  test('learns nothing of it from the gateway’s own tools', async () => {
    const status = (await call('viaduct_status')).result.structuredContent;
    expect(status.upstreams).toMatchObject([{ key: 'a', state: 'ready', tools: 9 }]);
    expect([status.workflows, status.disabled]).toEqual([['gateway'], []]);
    for (const [hidden, absent] of [
      ['b_echo', 'n_echo'],
      ['a_count', 'a_ghost'],
      ['count', 'ghost'],
      ['off_x', 'n_x'],
    ] as const) {
      const [one, other] = [await call('viaduct_why', { tool: hidden }), await call('viaduct_why', { tool: absent })];
      const told = JSON.stringify(one.result.structuredContent);
      const ownPart = (name: string) => name.replace(/^a_/, '');
      const same = told.replaceAll(hidden, absent).replaceAll(ownPart(hidden), ownPart(absent));
      expect(same).toBe(JSON.stringify(other.result.structuredContent));
    }
  });

  test('is introduced to nothing else', async () => {
    const opening =
      era === 'modern'
        ? await ask('server/discover')
        : await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {} });
    expect(opening.result.instructions).toContain('a (a_)');
    expect(opening.result.instructions).not.toContain('b_');
  });
});

describe('the path of a profile', () => {
  const status = async (url: string) => {
    const [legacy, modern] = [await exchange(url, initialize()), await new ModernHttpClient(url).post('tools/list')];
    return [legacy.status, modern.status];
  };

  test('serves; without one, everything is served', async () => {
    const { serving } = site;
    expect(await status(serving.url)).toEqual([200, 200]);
    expect(await status(`${serving.url}/bare`)).toEqual([200, 200]);
    const session = await HttpSession.open(serving.url);
    expect(await session.toolNames()).toEqual(expect.arrayContaining(['a_echo', 'a_count', 'b_echo', 'viaduct_why']));
    expect(await (await HttpSession.open(`${serving.url}/bare`)).toolNames()).toEqual([]);
  });

  test.each([
    '/nope',
    '/default',
    '/Only-a',
    '/only-a/',
    '//only-a',
    '/only%2Da',
    '/bare/only-a',
    '/',
    '/__proto__',
    '/constructor',
  ])('%s is the path of none', async (path) => {
    const { serving } = site;
    expect(await status(`${serving.url}${path}`)).toEqual([404, 404]);
  });

  test('is not changed by what else the address says', async () => {
    const { serving } = site;
    const session = await HttpSession.open(`${serving.url}/bare?profile=only-a`);
    expect(await session.toolNames()).toEqual([]);
  });

  test('has sessions of its own: under any other they do not exist', async () => {
    const { serving } = site;
    const { id, headers } = await HttpSession.open(`${serving.url}/bare`);
    const listen = { accept: 'text/event-stream', 'mcp-session-id': id };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    for (const other of [serving.url, `${serving.url}/only-a`]) {
      expect((await exchange(other, { headers, body })).status).toBe(404);
      expect((await exchange(other, { method: 'GET', headers: listen })).status).toBe(404);
      expect((await exchange(other, { method: 'DELETE', headers: listen })).status).toBe(404);
    }
    expect((await exchange(`${serving.url}/bare`, { headers, body })).status).toBe(200);
  });

  test('has the guard before it, and the methods that any has', async () => {
    const { serving } = site;
    const url = `${serving.url}/only-a`;
    expect((await exchange(url, initialize({ origin: 'https://evil.example' }))).status).toBe(403);
    expect((await exchange(url, initialize({ host: 'evil.example' }))).status).toBe(403);
    expect((await exchange(url, { method: 'PUT' })).status).toBe(405);
  });

  test('a call that waits for input goes on only there', async () => {
    const { serving } = site;
    const can = { capabilities: { elicitation: {} } };
    const [here, there] = [new ModernHttpClient(`${serving.url}/only-a`, can), new ModernHttpClient(serving.url, can)];
    const { json } = await here.call('a_elicit', { text: 'x' });
    const answers = Object.fromEntries(
      Object.keys(json.result.inputRequests).map((key) => [key, { action: 'decline' }]),
    );
    const more = { requestState: json.result.requestState, inputResponses: answers };
    expect((await there.call('a_elicit', { text: 'x' }, { more })).json.error.code).toBe(-32602);
    expect((await here.call('a_elicit', { text: 'x' }, { more })).json.result.content[0].text).toContain('decline');
  });
});

describe('the command line', () => {
  test('lists and calls as clients of a profile do', async () => {
    const { serving, config } = site;
    for (const env of [serving.env, undefined]) {
      const run = (...words: string[]) => viaduct([...words, '--profile', 'only-a', '--config', config], env);
      const tools = JSON.parse((await run('tools', '--json')).stdout).map(({ name }: { name: string }) => name);
      expect(tools).toContain('a_echo');
      expect(tools).not.toContain('b_echo');
      expect(await run('call', 'a_echo', 'text=x')).toMatchObject({ code: 0, stdout: 'aaa: x\n' });
      const hidden = await run('call', 'b_echo', 'text=x');
      expect([hidden.code, hidden.stderr]).toEqual([1, 'Unknown tool: b_echo. Did you mean "a_echo"? (-32602)\n']);
    }
  });

  test('says which profiles there are', async () => {
    const { config } = site;
    const meant = await viaduct(['stdio', '--profile', 'only_a', '--config', config]);
    expect(meant).toMatchObject({ code: 2, stderr: expect.stringContaining('did you mean "only-a"?') });
    const other = await viaduct(['tools', '--profile', 'xyz', '--config', config]);
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('(known: only-a, bare)') });
  });
});

function initialize(headers: Record<string, string> = {}) {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
  return {
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  };
}
