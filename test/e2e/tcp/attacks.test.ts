import { EventEmitter, once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AUDIENCE, startIssuer, type TokenIssuer } from '../../support/auth/token-issuer.ts';
import { tokenOf } from '../../support/auth/tokens.ts';
import type { RawClient } from '../../support/clients/raw-client.ts';
import {
  connectTcp,
  dialTcp,
  introduction,
  line,
  modernParams,
  recordedTcp,
  sendToEnd,
} from '../../support/clients/tcp-clients.ts';
import {
  fixture,
  linesOf,
  type ServeProcess,
  startServe,
  statusOf,
  temporaryFolder,
  writeConfig,
} from '../../support/gateway.ts';

const ends: (() => unknown)[] = [];
const atEnd = (end: () => unknown) => void ends.push(end);

const [VICTIM, MALLORY] = [tokenOf('victim'), tokenOf('mallory')];
const EXPIRED = tokenOf('expired', { expires: '2020-01-01' });
const BLIND = tokenOf('blind', { upstreams: [], workflows: [] });
const UNKNOWN = tokenOf('unknown');
const EVIL = 'evil-marker';
const MAX = 256 * 1024;

let serving: ServeProcess;
let issuer: TokenIssuer;
let tcp: string;
let config: string;
let log: string;
let victim: RawClient;
/** Calls of the victim, one after the other, all the while. */
const good = { calls: 0, failures: [] as unknown[], isOver: false, done: Promise.resolve() };

beforeAll(async () => {
  issuer = await startIssuer(atEnd);
  const folder = temporaryFolder(atEnd);
  log = path.join(folder, 'log');
  const env = { ...process.env, VIADUCT_HOME: temporaryFolder(atEnd) };
  config = writeConfig(
    {
      log: { level: 'debug' },
      server: {
        tcp: '127.0.0.1:0',
        tokens: [VICTIM, MALLORY, EXPIRED, BLIND].map((token) => token.entry),
        oauth: { issuer: issuer.url, audience: AUDIENCE, clockSkewSeconds: 0 },
      },
      upstreams: { t: fixture('talkative', `--log=${log}`), u: fixture('talkative', `--log=${log}`) },
      profiles: { a: { upstreams: ['u'] } },
      limits: { bodyBytes: MAX },
      lists: { graceMs: 20_000 },
    },
    folder,
  );
  serving = await startServe(config, env, atEnd);
  tcp = recordedTcp(env)!;
  victim = await connectTcp(tcp, atEnd);
  await victim.request('initialize', introduction(bearer(VICTIM.token)));
  victim.notify('notifications/initialized');
  expect(await victim.toolNames()).toContain('t_echo');
  good.done = behave();
});

afterAll(async () => {
  good.isOver = true;
  await good.done;
  for (const end of ends.toReversed()) await end();
});

async function behave(): Promise<void> {
  while (!good.isOver) {
    const text = `good ${good.calls++}`;
    const answer = await victim.callText('t_echo', { text }).catch((error: unknown) => error);
    if (answer !== `talkative: ${text}`) good.failures.push(answer);
  }
}

const waits = () => linesOf(log).filter((each) => each.startsWith('call wait')).length;
const bearer = (token: string) => ({ 'viaduct/authorization': `Bearer ${token}` });
const EVIL_CALL = { name: 't_echo', arguments: { text: EVIL } };
const call = (meta?: object) => line('tools/call', { ...EVIL_CALL, ...(meta !== undefined && { _meta: meta }) });
const opening = (meta?: object) => line('initialize', introduction(meta)) + call();
const signed = async (claims: Record<string, unknown>) => bearer(await issuer.sign(claims));
const seconds = () => Math.floor(Date.now() / 1_000);

type Attack = readonly [what: string, run: () => string | Buffer | Promise<string | Buffer>];

/** The gateway says nothing to these, and hangs up. */
const DROPPED: readonly Attack[] = [
  [
    'a page posts JSON',
    () => `POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\n\r\n${call(bearer(VICTIM.token))}`,
  ],
  ['a page asks for a path', () => `GET /${encodeURIComponent(call())} HTTP/1.1\r\nHost: x\r\n\r\n`],
  ['a page asks whether it may post', () => `OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n${call(bearer(VICTIM.token))}`],
  ['a page has a method of its own', () => `MCP / HTTP/1.1\r\n\r\n${call(bearer(VICTIM.token))}`],
  ['a proxy says whose connection it is', () => `PROXY TCP4 127.0.0.1 127.0.0.1 1 2\r\n${call(bearer(VICTIM.token))}`],
  ['TLS begins', () => Buffer.from('16030100c8010000c403', 'hex')],
  ['HTTP/2 begins', () => `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${call(bearer(VICTIM.token))}`],
  ['STUN begins', () => Buffer.concat([Buffer.from([0, 1, 0, 0]), Buffer.from(call(bearer(VICTIM.token)))])],
  ['a batch comes first', () => `[${call(bearer(VICTIM.token)).trim()}]\n`],
  ['a JSON text that is no object', () => `"x"\n${call(bearer(VICTIM.token))}`],
  ['blank lines without an end', () => `${'\n'.repeat(10_000)}${call(bearer(VICTIM.token))}`],
];

/** The gateway says once why it refuses these, and hangs up. */
const REFUSED: readonly (readonly [...Attack, message: RegExp])[] = [
  ['no token', () => opening(), /a bearer token is needed.*viaduct\/authorization/],
  ['no token, in the modern era', () => line('tools/call', modernParams(EVIL_CALL)), /a bearer token is needed/],
  ['a token that nobody has', () => opening(bearer(UNKNOWN.token)), /not valid/],
  ['a token that has expired', () => opening(bearer(EXPIRED.token)), /not valid/],
  ['the beginning of a token', () => opening(bearer(VICTIM.token.slice(0, -1))), /not valid/],
  ['a token with more behind it', () => opening(bearer(`${VICTIM.token}A`)), /not valid/],
  ['the hash of a token', () => opening(bearer((VICTIM.entry as { hash: string }).hash.slice(7))), /not valid/],
  ['a token of another scheme', () => opening({ 'viaduct/authorization': `Basic ${VICTIM.token}` }), /is needed/],
  ['a token that is no text', () => opening({ 'viaduct/authorization': [`Bearer ${VICTIM.token}`] }), /is needed/],
  ['two tokens in one', () => opening(bearer(`${UNKNOWN.token}, Bearer ${VICTIM.token}`)), /is needed/],
  [
    'two tokens under one key, of which the last counts',
    () =>
      opening(bearer(VICTIM.token))
        .replace('"_meta":{', `"_meta":{"viaduct/authorization":"Bearer ${UNKNOWN.token}",`)
        .replace(`"Bearer ${VICTIM.token}"`, '"Bearer x"'),
    /not valid/,
  ],
  [
    'a token beside the params',
    () => opening().replace('"id":1', `"id":1,"_meta":${JSON.stringify(bearer(VICTIM.token))}`),
    /is needed/,
  ],
  [
    'a token in a notification',
    () =>
      `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized', params: { _meta: bearer(VICTIM.token) } })}\n${call()}`,
    /is needed/,
  ],
  ['a token in the second message only', () => line('ping') + opening(bearer(VICTIM.token)), /is needed/],
  [
    'a JWT that nobody has signed',
    async () => opening(bearer(`${(await issuer.sign({})).split('.').slice(0, 2).join('.')}.AAAA`)),
    /not valid/,
  ],
  ['a JWT for somebody else', async () => opening(await signed({ aud: 'https://other.example/mcp' })), /not valid/],
  ['a JWT that has expired', async () => opening(await signed({ exp: seconds() - 60 })), /not valid/],
  [
    'a profile that there is not',
    () => opening({ ...bearer(VICTIM.token), 'viaduct/profile': '../a' }),
    /no such profile/,
  ],
  ['a message that is no JSON', () => `{"jsonrpc":"2.0",,}\n${call(bearer(VICTIM.token))}`, /not valid JSON/],
  [
    'a first message that is too large',
    () => line('initialize', { ...introduction(), padding: 'x'.repeat(65_536) }),
    /larger than 65536 bytes/,
  ],
];

describe('a way in over TCP that needs a token', () => {
  test.each(DROPPED)('drops unread: %s', async (_what, run) => {
    expect(await sendToEnd(tcp, await run())).toBe('');
  });

  test.each(REFUSED)('refuses: %s', async (_what, run, message) => {
    const answers = (await sendToEnd(tcp, await run())).trimEnd().split('\n');
    expect(answers).toHaveLength(1);
    expect(JSON.parse(answers[0]!).error.message).toMatch(message);
  });

  test('gives a token what it may see, and nothing of others', async () => {
    const blind = await connectTcp(tcp);
    await blind.request('initialize', introduction(bearer(BLIND.token)));
    expect(await blind.toolNames()).toEqual([]);
    expect((await blind.request('tools/call', EVIL_CALL)).value.error).toBeDefined();
  });

  test('does not let a connection change who it is', async () => {
    const client = await connectTcp(tcp);
    await client.request('initialize', introduction({ ...bearer(BLIND.token), 'viaduct/profile': 'a' }));
    expect((await client.request('tools/list', { _meta: bearer(VICTIM.token) })).value.result.tools).toEqual([]);
    const again = await client.request('initialize', introduction(bearer(VICTIM.token)));
    expect(again.value.error ?? again.value.result).toBeDefined();
    expect(await client.toolNames()).toEqual([]);
  });

  test('does not let one client cancel a call of another', async () => {
    const client = await connectTcp(tcp);
    await client.request('initialize', introduction(bearer(MALLORY.token)));
    const before = waits();
    const waiting = victim.call('t_wait', { ms: 2_000 }, '"slow"');
    await expect.poll(waits).toBe(before + 1);
    client.notify('notifications/cancelled', { requestId: 'slow' });
    // The gateway has read the notification by the time it answers what comes after it.
    await client.request('ping');
    expect((await waiting).content[0].text).toBe('waited');
    expect(linesOf(log).filter((each) => each.startsWith('cancelled'))).toEqual([]);
  });

  test('does not let one client answer for another', async () => {
    const [asked, client] = [await connectTcp(tcp), await connectTcp(tcp)];
    const said = (text: string) => ({ role: 'assistant', content: { type: 'text', text }, model: 'm' });
    const answering = new EventEmitter();
    asked.answers.set('sampling/createMessage', async () => ((await once(answering, 'now')) as [object])[0]);
    await asked.request('initialize', { ...introduction(bearer(VICTIM.token)), capabilities: { sampling: {} } });
    asked.notify('notifications/initialized');
    await asked.toolNames();
    await client.request('initialize', { ...introduction(bearer(MALLORY.token)), capabilities: { sampling: {} } });
    const result = asked.call('t_sample', { text: 'q' });
    const { value } = await asked.waitFor((message) => message.value.method === 'sampling/createMessage');
    client.write(JSON.stringify({ jsonrpc: '2.0', id: value.id, result: said('forged') }));
    await client.request('ping');
    answering.emit('now', said('mine'));
    expect(JSON.stringify(await result)).toMatch(/^(?!.*forged).*mine/);
  });

  test('takes access tokens of its authorization server', async () => {
    const client = await connectTcp(tcp);
    const answer = await client.request('initialize', introduction(await signed({})));
    expect(answer.value.result.serverInfo.name).toBe('viaduct');
  });

  test('holds up whoever brings many wrong tokens, and not who had a right one', async () => {
    const messages: string[] = [];
    for (let index = 0; index < 25; index++) {
      const answer = await sendToEnd(tcp, opening(bearer(tokenOf(`guess ${index}`).token)));
      messages.push(JSON.parse(answer).error.message);
    }
    expect(messages.at(-1)).toContain('too many wrong tokens');
    const client = await connectTcp(tcp);
    const answer = await client.request('initialize', introduction(bearer(VICTIM.token)));
    expect(answer.value.result.serverInfo.name).toBe('viaduct');
  });

  test('closes a line that ends in the middle of a message', async () => {
    const socket = await dialTcp(tcp);
    socket.end(call(bearer(VICTIM.token)).slice(0, 40));
    socket.resume();
    await once(socket, 'close');
  });

  test('has let nothing through, has told nobody a token, and has served others all the while', async () => {
    good.isOver = true;
    await good.done;
    expect(good.failures).toEqual([]);
    expect(good.calls).toBeGreaterThan(0);
    const calls = linesOf(log).filter((each) => each.startsWith('call echo'));
    expect(calls).toHaveLength(good.calls);
    const status = await statusOf(config, serving.env);
    const written = `${serving.stderr()}${serving.stdout()}${JSON.stringify(status)}${readFileSync(log, 'utf8')}`;
    for (const { token } of [VICTIM, MALLORY, UNKNOWN, EXPIRED, BLIND]) expect(written).not.toContain(token);
    // Those that were dropped were not just waited for until their time was over.
    expect(serving.stderr()).toContain('data over TCP is not JSON-RPC');
    expect(serving.stderr()).not.toContain('in time');
  });
});
