import { expect, test } from 'vitest';
import { Catalogue } from '../../../src/catalogue/catalogue.ts';
import type { GatewayError } from '../../../src/core/errors.ts';
import { type Caller, NOTHING_TO_CANCEL, type ProviderCall } from '../../../src/core/providers/provider.ts';
import { Router } from '../../../src/router/router.ts';
import { readCallText } from '../../../src/wire/edits/call-text.ts';
import { madeRequest } from '../../../src/wire/message.ts';
import { Offering } from '../catalogue/provider.ts';

const FOR_APPS = ',"_meta":{"ui":{"visibility":["app"]}}';

const uri = (text: string) => `{"uri":"${text}","name":"n"}`;

/** Notes the calls that reach it, as `id ownName`. */
class Noting extends Offering {
  readonly #calls: string[];

  constructor(id: string, calls: string[], tools: readonly string[]) {
    super(id, { tool: tools, resource: [uri('ui://app'), uri('note://1')] });
    this.#calls = calls;
  }

  override call({ ownName }: ProviderCall = {} as ProviderCall) {
    this.#calls.push(`${this.id} ${ownName}`);
    return NOTHING_TO_CANCEL;
  }
}

/** A router with two servers: `a` has the tool `x` for its apps and `y` for all, `b` has `z` for all. */
function open() {
  const calls: string[] = [];
  const failures: string[] = [];
  const catalogue = new Catalogue({ maxNameLength: () => 64 });
  catalogue.setProviders([
    new Noting('a', calls, [`{"name":"x"${FOR_APPS}}`, '{"name":"y"}']),
    new Noting('b', calls, ['{"name":"z"}']),
  ]);
  const router = new Router(
    catalogue.openView(undefined, () => undefined),
    [],
  );
  const send = (method: string, params: object) => {
    const text = readCallText(madeRequest(method, JSON.stringify(params)));
    if ('problem' in text) throw new Error(text.problem);
    const onFailure = ({ code }: GatewayError) => failures.push(code);
    router.call(text, { client: { era: 'legacy', clientId: 'c' }, onFailure } as unknown as Caller);
  };
  return {
    calls,
    failures,
    send,
    callTool: (name: string) => send('tools/call', { name }),
    read: (uri: string) => send('resources/read', { uri }),
  };
}

test('a client that has read no app may call a server’s tool for its apps', () => {
  const { calls, failures, callTool } = open();
  callTool('x');
  expect([calls, failures]).toEqual([['a x'], []]);
});

test('a client that shows apps of another server may not, by the server’s own name for the tool', () => {
  const { calls, failures, callTool, read } = open();
  read('ui://b/app');
  callTool('x');
  expect([calls, failures]).toEqual([['b ui://app'], ['UNKNOWN_TOOL']]);
});

test('it may call all other tools by their own names, and that one by its public name', () => {
  const { calls, failures, callTool, read } = open();
  read('ui://b/app');
  for (const name of ['y', 'z', 'a_x']) callTool(name);
  expect([calls.slice(1), failures]).toEqual([['a y', 'b z', 'a x'], []]);
});

test('a client that shows apps of the server may call it', () => {
  const { calls, failures, callTool, read } = open();
  read('ui://b/app');
  read('ui://a/app');
  callTool('x');
  expect([calls.slice(2), failures]).toEqual([['a x'], []]);
});

test('only an app that is read counts as shown: no other resource, and no other request about one', () => {
  const { calls, failures, callTool, send, read } = open();
  read('note://b/1');
  send('resources/subscribe', { uri: 'ui://b/app' });
  callTool('x');
  expect([calls.slice(2), failures]).toEqual([['a x'], []]);
});
