import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { tokenOf } from '../../../../test/support/auth/tokens.ts';
import { ModernHttpClient } from '../../../../test/support/http/modern-http-client.ts';
import { assertThat, listed } from '../../expect.ts';
import type { Fault } from '../../fault.ts';
import { listening } from '../../listening.ts';
import { type HttpGateway, type Scene, until } from '../../scene.ts';

const RUNS = 10;
/** Longer than any gateway would take silence for an answer. */
const THINKING_MS = 500;
const CAPABILITIES = { sampling: {}, elicitation: {}, roots: {} };
const SHARES = ['auto', 'gateway'] as const;

/** The answer of a client to a question: its own name, after a while. */
async function answerOf(name: string, method: string): Promise<object> {
  await delay(THINKING_MS);
  if (method === 'roots/list') return { roots: [{ uri: `file:///home/${name}`, name }] };
  if (method === 'elicitation/create') return { action: 'accept', content: { by: name } };
  return { role: 'assistant', content: { type: 'text', text: `by ${name}` }, model: 'm' };
}

/** One client, of any era. */
interface Asked {
  call(tool: string, args: object): Promise<string>;
  heard(): string;
}

type Connect = (scene: Scene, config: string, gateway: HttpGateway, name: string) => Promise<Asked>;

const connectLegacy: Connect = async (scene, config, _gateway, name) => {
  const { client } = scene.startStdio(config);
  for (const method of ['elicitation/create', 'sampling/createMessage', 'roots/list'])
    client.answers.set(method, () => answerOf(name, method));
  await client.initialize(CAPABILITIES, '2025-11-25', name);
  await listed(client, ['stdio_release', 'http_release']);
  return {
    call: (tool, args) => client.callText(tool, args),
    heard: () => client.messages.map(({ text }) => text).join('\n'),
  };
};

const TOKENS = new Map(['Alice', 'Bob'].map((name) => [name, tokenOf(name)]));

const connectModern: Connect = async (_scene, _config, { url }, name) => {
  const client = new ModernHttpClient(url, { name, capabilities: CAPABILITIES });
  const { headers } = TOKENS.get(name)!;
  const heard: string[] = [];
  await until('the tools are listed', async () => {
    const { body } = await client.post('tools/list', {}, { headers });
    return body.includes('stdio_release') && body.includes('http_release');
  });
  const call = async (tool: string, args: object): Promise<string> => {
    for (let more: object = {}; ; ) {
      const { body, json } = await client.call(tool, args, { headers, more });
      heard.push(body);
      if (json.result.resultType !== 'input_required') return json.result.content[0].text;
      const asked = Object.entries<{ method: string }>(json.result.inputRequests);
      const answers = asked.map(async ([key, { method }]) => [key, await answerOf(name, method)] as const);
      more = { requestState: json.result.requestState, inputResponses: Object.fromEntries(await Promise.all(answers)) };
    }
  };
  return { call, heard: () => heard.join('\n') };
};

async function run(scene: Scene, share: (typeof SHARES)[number], connect: Connect): Promise<void> {
  const config = scene.config({
    upstreams: {
      stdio: { ...scene.fixture('nosy'), share },
      http: { ...(await listening(scene, 'nosy', 'http')), share },
    },
    server: { tokens: [...TOKENS.values()].map(({ entry }) => entry) },
    // Without this, upstreams do not get the roots of clients that come over HTTP.
    workspace: { clientFolders: ['/home'] },
  });
  const gateway = await scene.serve(config);
  const alice = await connect(scene, config, gateway, 'Alice');
  const bob = await connect(scene, config, gateway, 'Bob');
  // Both have used both before the server asks for the first time: what they share they go on sharing.
  await Promise.all(['stdio', 'http'].map((name) => bob.call(`${name}_slow`, {})));
  for (let count = 0; count < RUNS; count++)
    await Promise.all(['stdio', 'http'].map((name) => releaseBeside(alice, bob, name, `diff-${count}`)));
}

/** Alice's call asks her three things, while a call of Bob, which asks nothing, has come. */
async function releaseBeside(alice: Asked, bob: Asked, upstream: string, text: string): Promise<void> {
  const secret = `private ${upstream} ${text};`;
  const releasing = alice.call(`${upstream}_release`, { diff: secret });
  await until('Alice is asked', () => alice.heard().includes(secret));
  await bob.call(`${upstream}_slow`, {});
  const answers = await releasing;
  assert.equal(answers.match(/Alice/g)?.length, 4, `Alice has answered all three: ${answers}`);
  assertThat('her tool has nothing of Bob', !answers.includes('Bob'));
  assertThat('Bob has heard nothing of hers', !bob.heard().includes('private'));
}

const row = (id: string, share: (typeof SHARES)[number], who: string, connect: Connect): Fault => ({
  id,
  what: `An upstream (stdio, HTTP) asks ${who} three things during one call, while a call of another client is open, ${RUNS} times; share: ${share}`,
  holds: 'Each question reaches the client whose call it belongs to, and no other; each gets its answer',
  limitMs: 180_000,
  run: (scene) => run(scene, share, connect),
});

/** The client that the question belongs to. */
export const CROSSING_FAULTS: readonly Fault[] = [
  row('C-question-legacy-auto', 'auto', 'a legacy client', connectLegacy),
  row('C-question-legacy-gateway', 'gateway', 'a legacy client', connectLegacy),
  row('C-question-tokens-auto', 'auto', 'a client of 2026-07-28 with a bearer token', connectModern),
  row('C-question-tokens-gateway', 'gateway', 'a client of 2026-07-28 with a bearer token', connectModern),
];
