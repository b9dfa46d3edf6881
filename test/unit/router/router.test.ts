import { expect, test } from 'vitest';
import { Catalogue } from '../../../src/catalogue/catalogue.ts';
import { MAX_NAME_LENGTH } from '../../../src/core/access/name-filter.ts';
import { type ErrorCode, GatewayError } from '../../../src/core/errors.ts';
import type { EndedCall } from '../../../src/core/providers/call-audit.ts';
import { type Caller, EMPTY_LISTING, type Provider, type ProviderCall } from '../../../src/core/providers/provider.ts';
import type { Policy } from '../../../src/policy/policy.ts';
import { PolicySet } from '../../../src/policy/policy-set.ts';
import { Router } from '../../../src/router/router.ts';
import { toBuffer } from '../../../src/wire/bytes.ts';
import { readCallText } from '../../../src/wire/edits/call-text.ts';
import { madeRequest } from '../../../src/wire/message.ts';
import { errorReply, type Reply, resultReply } from '../../../src/wire/reply.ts';

const { policies } = await PolicySet.load({});

type Answer = Reply | GatewayError;

/** An upstream that may know every uri, and answers at once. */
class Answering implements Provider {
  readonly kind = 'upstream';
  readonly validation = 'off';
  readonly id: string;
  readonly prefix: string;
  readonly answer: Answer | undefined;
  readonly calls: ProviderCall[] = [];
  /** The reasons of cancels that reached it. */
  readonly cancelled: unknown[] = [];

  constructor(id: string, answer?: Answer) {
    this.id = id;
    this.prefix = id;
    this.answer = answer;
  }

  listing() {
    return EMPTY_LISTING;
  }

  isKnown() {
    return true;
  }

  acceptsUnlisted() {
    return true;
  }

  call(call: ProviderCall) {
    this.calls.push(call);
    if (this.answer instanceof GatewayError) call.caller.onFailure(this.answer);
    else if (this.answer !== undefined) call.caller.onReply(this.answer);
    return { cancel: (reason?: unknown) => this.cancelled.push(reason) };
  }
}

const rpc = (code: number, message: string): Reply => errorReply({ code, message });
const failed = (code: ErrorCode, message: string): GatewayError => new GatewayError(code, message);

/** Does what the audit does with a call. */
function endWith(ended: EndedCall[], call: EndedCall): void {
  ended.push(call);
  call.deliver();
}

function open(...answers: readonly (Answer | undefined)[]) {
  const providers = answers.map((answer, index) => new Answering('abc'[index]!, answer));
  const catalogue = new Catalogue({ maxNameLength: () => 64 });
  catalogue.setProviders(providers);
  const ended: EndedCall[] = [];
  const audit = { isOn: true, onCallEnded: (call: EndedCall) => endWith(ended, call) };
  const router = new Router(
    catalogue.openView(undefined, () => undefined),
    policies,
    { audit },
  );
  const told: string[] = [];
  const room = Promise.resolve();
  const caller: Caller = {
    sessionId: 's',
    client: {
      era: 'legacy',
      clientId: 's',
      capabilities: '{}',
      clientInfo: undefined,
      logLevel: undefined,
      folderRule: undefined,
    } as unknown as Caller['client'],
    ask: () => () => undefined,
    onReply: (reply) => told.push(toBuffer(reply.withId('1')).toString()),
    onFailure: (error) => told.push(error.message),
    onProgress: () => undefined,
    onNotification: () => undefined,
    whenRoom: () => room,
  };
  const text = readCallText(madeRequest('resources/read', '{"uri":"note:1"}'));
  if ('problem' in text) throw new Error(text.problem);
  const again = () => router.call(text, caller);
  const running = again();
  return { told, ended, providers, running, room, again };
}

const UNKNOWN = rpc(-32002, 'unknown');

test.each<[string, readonly Answer[], RegExp, string]>([
  ['the first result counts', [UNKNOWN, resultReply({ contents: [] }), UNKNOWN], /"result"/, 'b'],
  ['a real error is not hidden by those who know nothing', [rpc(-32603, 'not yours'), UNKNOWN], /not yours/, 'a'],
  ['nor is a failure', [UNKNOWN, failed('UPSTREAM_TIMEOUT', 'too slow'), UNKNOWN], /too slow/, 'b'],
  ['of several real errors the first counts', [rpc(-32603, 'one'), rpc(0, 'two'), UNKNOWN], /one/, 'a'],
  ['a result counts more than a real error', [rpc(-32603, 'one'), resultReply({ contents: [] })], /"result"/, 'b'],
  ['where nobody knows it, the last one says so', [UNKNOWN, rpc(-32602, 'never heard')], /never heard/, 'b'],
  ['who was not asked says nothing', [failed('UPSTREAM_NOT_CONNECTED', 'away'), UNKNOWN], /unknown/, 'b'],
  ['an error of no known form is real', [{ ...UNKNOWN, ...errorReply('odd' as never) }, UNKNOWN], /odd/, 'a'],
])('of a uri that nobody owns: %s', (_what, answers, answer, provider) => {
  const { told, ended } = open(...answers);
  expect(told).toEqual([expect.stringMatching(answer)]);
  expect(ended.map((call) => call.provider?.id)).toEqual([provider]);
});

test('whoever answers a call knows whether its client has room', () => {
  const { providers, room } = open(undefined, UNKNOWN);
  expect(providers[0]!.calls[0]!.caller.whenRoom?.()).toBe(room);
});

test('a cancelled call is told to its provider with the reason, and is in the audit once', () => {
  const { providers, running, ended, told } = open(undefined);
  running.cancel('"no longer wanted"');
  running.cancel('"again"');
  expect(providers[0]!.cancelled[0]).toBe('"no longer wanted"');
  expect([ended.map(({ ending }) => ending), told]).toEqual([['cancelled'], []]);
});

test('of a uri that nobody owns: who has answered is asked alone from then on', () => {
  const { providers, again } = open(UNKNOWN, resultReply({ contents: [] }), UNKNOWN);
  again();
  expect(providers.map(({ calls }) => calls.length)).toEqual([1, 2, 0]);
});

test('of a uri that nobody owns: where none has answered, all are asked again', () => {
  const { providers, again } = open(UNKNOWN, rpc(-32603, 'not yours'));
  again();
  expect(providers.map(({ calls }) => calls.length)).toEqual([2, 2]);
});

test('of a uri that nobody owns: the one that is being asked is told of a cancel', () => {
  const { providers, running } = open(UNKNOWN, UNKNOWN, undefined);
  running.cancel('"no longer wanted"');
  expect(providers.map(({ cancelled }) => cancelled)).toEqual([[], [], ['"no longer wanted"']]);
});

/** Sends a request through a router whose catalogue has one provider without lists. */
function send(
  method: string,
  params: object,
  {
    audit = false,
    era = 'legacy',
    through = policies,
  }: { audit?: boolean; era?: string; through?: readonly Policy[] } = {},
) {
  const provider = new Answering('a', resultReply({}));
  const catalogue = new Catalogue({ maxNameLength: () => 64 });
  catalogue.setProviders([provider]);
  const ended: EndedCall[] = [];
  const router = new Router(
    catalogue.openView(undefined, () => undefined),
    through,
    { audit: { isOn: audit, onCallEnded: (call) => endWith(ended, call) } },
  );
  const failures: string[] = [];
  const replies: Reply[] = [];
  const caller = {
    client: { era, clientId: 's' },
    onReply: (reply: Reply) => replies.push(reply),
    onFailure: ({ code, message }: GatewayError) => failures.push(`${code}: ${message}`),
  } as unknown as Caller;
  const text = readCallText(madeRequest(method, JSON.stringify(params)));
  if ('problem' in text) throw new Error(text.problem);
  router.call(text, caller);
  return { provider, ended, failures, replies };
}

test('calls are not watched while the audit is off, nor are methods that have no effect', () => {
  const read = ['resources/read', { uri: 'note:1' }] as const;
  expect(send(...read).replies).toHaveLength(1);
  expect(send(...read).ended).toEqual([]);
  expect(send(...read, { audit: true }).ended).toHaveLength(1);
  const subscribed = send('resources/subscribe', { uri: 'note:1' }, { audit: true });
  expect([subscribed.replies.length, subscribed.ended]).toEqual([1, []]);
});

test.each<[string, object]>([
  ['tools/call', { name: 'a_t' }],
  ['prompts/get', { name: 'a_p' }],
  ['resources/read', { uri: 'note:1' }],
])('a call of %s is in the audit', (method, params) => {
  const { ended, replies, provider } = send(method, params, { audit: true });
  expect(ended.map(({ text, ending }) => [text.message.method, ending])).toEqual([[method, replies[0]]]);
  expect([ended[0]!.provider, provider.calls.length]).toEqual([provider, 1]);
});

test('the result of a tool that no list has is not an error, and passes as it is', () => {
  const { replies } = send('tools/call', { name: 'a_t' });
  expect(replies).toHaveLength(1);
  expect(toBuffer(replies[0]!.withId('1')).toString()).toBe('{"jsonrpc":"2.0","id":1,"result":{}}');
});

test('a name that is too long is not repeated in the error', () => {
  const { failures } = send('prompts/get', { name: 'n'.repeat(5_000) });
  expect(failures).toEqual([expect.stringMatching(/^UNKNOWN_PROMPT: Unknown prompt: its name has 5000 characters/)]);
});

test('a name of the greatest length is repeated', () => {
  const name = 'n'.repeat(MAX_NAME_LENGTH);
  expect(send('prompts/get', { name }).failures).toEqual([`UNKNOWN_PROMPT: Unknown prompt: ${name}`]);
});

test.each(['tasks/get', 'tasks/result', 'tasks/update', 'tasks/cancel'])(
  'a task that nobody knows is unknown: %s',
  (method) => {
    expect(send(method, { taskId: 't' }).failures).toEqual(['UNKNOWN_TASK: Task not found']);
  },
);

test.each<ErrorCode>([
  'UNKNOWN_RESOURCE',
  'CAPABILITY_MISSING',
  'UPSTREAM_NOT_CONNECTED',
  'UPSTREAM_NEEDS_AUTH',
  'UPSTREAM_CRASH_LOOP',
])('of a uri that nobody owns: %s says nothing of it', (code) => {
  expect(open(failed(code, 'no news'), rpc(-32002, 'unknown')).told).toEqual([expect.stringContaining('unknown')]);
});

test('the state of a call that its provider did not make is refused for modern clients', () => {
  const params = { uri: 'note:1', requestState: 'made up' };
  const { failures, provider } = send('resources/read', params, { era: 'modern' });
  expect([failures.length, provider.calls.length]).toEqual([1, 0]);
  expect(failures[0]).toContain('"requestState" is not valid');
  expect(send('resources/read', params).provider.calls).toHaveLength(1);
  expect(send('resources/read', { uri: 'note:1' }, { era: 'modern' }).provider.calls).toHaveLength(1);
});

test('a call that a policy refuses is answered once, and reaches no other policy and no provider', () => {
  const asked: string[] = [];
  const policy = (name: string, refusal?: GatewayError): Policy => ({
    name,
    admit: () => {
      asked.push(name);
      return refusal;
    },
    inspect: () => {
      asked.push(`${name} inspects`);
      return undefined;
    },
  });
  const through = [policy('admits'), policy('refuses', failed('TOOL_PINNED', 'no')), policy('is not asked')];
  const { failures, provider, replies } = send('resources/read', { uri: 'note:1' }, { through });
  expect(failures).toEqual(['TOOL_PINNED: no']);
  expect([asked, provider.calls, replies]).toEqual([['admits', 'refuses'], [], []]);
});

test('an answer passes the policies that want to see it, in the opposite order of the call', () => {
  const seen: string[] = [];
  const policy = (name: string): Policy => ({
    name,
    inspect: () => (reply) => {
      seen.push(name);
      return reply;
    },
  });
  const through = [policy('first'), { name: 'none' }, { name: 'never', inspect: () => undefined }, policy('last')];
  expect(send('resources/read', { uri: 'note:1' }, { through }).replies).toHaveLength(1);
  expect(seen).toEqual(['last', 'first']);
});
