import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FULL_PERMISSIONS, scopeOf } from '../../../../../src/core/access/permissions.ts';
import { redact } from '../../../../../src/redaction/redact.ts';
import { temporaryFolder } from '../../../../support/gateway.ts';
import { isAlive, processesWith } from '../../../../support/processes.ts';
import { AGENT, type ChatSetup, chatSetup, type TestCaller } from '../chat-setup.ts';

const TOKEN = `ghp_${'a1B2c3D4e5F6g7H8i9'.repeat(2)}`;

/** A chat that an agent answers which behaves in a way. */
async function agentChat(
  mode: string,
  args: readonly string[] = ['{prompt}'],
  more: object = {},
  setup: ChatSetup = {},
) {
  const command = [process.execPath, AGENT, mode, ...args];
  const made = chatSetup({ ...setup, options: { answers: 'agent', agent: { command, ...more } } });
  const { id } = await made.chat.create('n', made.call());
  const send = (text: string, caller: TestCaller = {}) => made.chat.send(id, text, made.call(caller));
  const pidIn = (file: string) => path.join(made.folder, file);
  const pid = async (file: string) => {
    await expect.poll(() => existsSync(pidIn(file)) && readFileSync(pidIn(file), 'utf8') !== '').toBe(true);
    return Number(readFileSync(pidIn(file), 'utf8'));
  };
  return { ...made, id, send, pid };
}

/** What the note says of the agent's failure. */
const noteOf = async (sent: Promise<{ note?: string; reply?: unknown }>) => {
  const { note, reply } = await sent;
  expect(reply).toBeUndefined();
  expect(note).toMatch(/^Nobody has answered; the message is stored\. /);
  return note;
};

test('an agent answers in the folder of the project, with the conversation in its prompt', async () => {
  const { send, folder, chat, id, call } = await agentChat('echo');
  const first = await send('--help me');
  expect(first.reply).toEqual({
    role: 'assistant',
    content: expect.stringMatching(/^Answer this message .*:\n\n--help me$/s),
    timestamp: expect.any(String),
    author: path.basename(process.execPath),
  });
  const second = (await send('two')).reply!.content;
  expect(second).toMatch(
    /^Answer the last message .*\[user\]\n--help me\n\n\[assistant\]\nAnswer this.*The new message:\n\ntwo$/s,
  );
  expect(await chat.history(id, undefined, call())).toHaveLength(4);
  const where = await agentChat('folder', ['{prompt}'], {});
  expect((await where.send('x')).reply!.content).toBe(where.folder);
  expect(folder).not.toBe(where.folder);
});

test('a prompt is one argument or standard input, whatever is in it', async () => {
  const argv = await agentChat('argv', [
    '-p',
    '--session={sessionId}',
    '{folder}',
    '{unknown',
    '--prompt={prompt}',
    '--',
    '{prompt}',
  ]);
  const message = '--yes {sessionId} "$(id)" `id`; rm -rf /\n-x \u{1F980}';
  const words = JSON.parse((await argv.send(message)).reply!.content) as string[];
  expect(words).toHaveLength(7);
  expect(words.slice(0, 4)).toEqual(['-p', `--session=${argv.id}`, argv.folder, '{unknown']);
  expect(words[6]).toMatch(/^Answer/);
  expect(words[6]!.endsWith(message)).toBe(true);
  expect(words[4]).toBe(`--prompt=${words[6]}`);
  const stdin = await agentChat('stdin', [], { stdin: true });
  expect((await stdin.send(message)).reply!.content.endsWith(message)).toBe(true);
});

test('a prompt that is too long for an argument is refused with what to do', async () => {
  const { send } = await agentChat('echo');
  expect(await noteOf(send('\u{1F980}'.repeat(40_000)))).toContain('stdin: true');
  const stdin = await agentChat('stdin', [], { stdin: true });
  expect((await stdin.send('\u{1F980}'.repeat(40_000))).reply!.content).toMatch(/\u{1F980}{40000}$/u);
});

test('the environment has no secrets of the gateway but those that the config lists', async () => {
  const env = { ...process.env, VIADUCT_HOME: '/secret', VIADUCT_TOKEN: 't', MY_KEY: 'k', OTHER_KEY: 'o' };
  const { send, folder } = await agentChat('env', ['{prompt}'], { env: ['MY_KEY', 'NOT_SET'] }, { env });
  const given = JSON.parse((await send('x')).reply!.content) as Record<string, string>;
  expect(given).toMatchObject({ MY_KEY: 'k', VIADUCT_DEPTH: '1', PWD: folder, PATH: expect.any(String) });
  for (const name of ['OTHER_KEY', 'VIADUCT_HOME', 'VIADUCT_TOKEN', 'NOT_SET']) expect(given).not.toHaveProperty(name);
});

test('neither an answer nor a failure shows the secrets that the agent has', async () => {
  const [secret, env] = ['plainly-chosen-key', { ...process.env, MY_API_KEY: 'plainly-chosen-key' }];
  const more = { format: 'json', answerAt: 'result', errorAt: 'is_error', env: ['MY_API_KEY'] };
  const failing = await agentChat('json-leak', [TOKEN, '{prompt}'], more, { env });
  const note = await noteOf(failing.send('x'));
  expect(note).toContain('refused: [secret] and [redacted:');
  for (const text of [secret, TOKEN]) expect(note).not.toContain(text);
  const answering = await agentChat('json-leak', ['no', '{prompt}'], more, { env });
  expect((await answering.send('x')).reply!.content).toBe('refused: [secret] and no');
});

test('an agent that writes to its own session is refused at once', async () => {
  const { send, pid } = await agentChat('hang', ['{prompt}'], { timeoutMs: 60_000 });
  const stop = new AbortController();
  const answered = send('x', { signal: stop.signal }).catch(() => undefined);
  await pid('agent.pid');
  expect(await noteOf(send('y', { depth: 1 }))).toContain('comes from such an agent');
  stop.abort();
  await answered;
});

test('an agent does not start another one', async () => {
  for (const depth of ['1', '2', 'x', '-1']) {
    const { send } = await agentChat('echo', ['{prompt}'], {}, { env: { ...process.env, VIADUCT_DEPTH: depth } });
    expect(await noteOf(send('x'))).toContain('VIADUCT_DEPTH');
  }
  const { send } = await agentChat('echo', ['{prompt}'], {}, { env: { ...process.env, VIADUCT_DEPTH: '0' } });
  expect(await send('x')).toHaveProperty('reply');
  // The gateway serves one that such an agent has started.
  expect(await noteOf(send('x', { depth: 1 }))).toContain('comes from such an agent');
});

test('a client that may not use everything gets no agent', async () => {
  const { send, folder } = await agentChat('hang');
  for (const limit of [
    { tools: { allow: ['ide_*'], deny: [] } },
    { tools: { allow: ['*'], deny: ['process_start'] } },
    { workflows: ['ide'] },
    { upstreams: [] },
    { projects: [['*']] },
  ])
    expect(await noteOf(send('x', { scope: scopeOf({ ...FULL_PERMISSIONS, ...limit }) }))).toContain(
      'does not allow everything',
    );
  expect(existsSync(path.join(folder, 'agent.pid'))).toBe(false);
  const whole = await agentChat('echo');
  expect(await whole.send('x', { scope: scopeOf(FULL_PERMISSIONS) })).toHaveProperty('reply');
});

test('an agent does not run outside of the workspace', async () => {
  const root = realpathSync(temporaryFolder());
  const { send } = await agentChat('folder', ['{prompt}'], {}, { root });
  expect(await noteOf(send('x'))).toMatch(/workspace/);
});

test('an agent that hangs is ended with the time limit, though it ignores SIGTERM', async () => {
  const { send, id } = await agentChat('hang', ['{sessionId}', '{prompt}'], { timeoutMs: 1_500 });
  expect(await noteOf(send('x'))).toContain('within 1500 ms');
  expect(processesWith(id)).toEqual([]);
});

test('a cancel ends the agent; the message stays', async () => {
  const { send, pid, chat, id, call } = await agentChat('hang');
  const cancel = new AbortController();
  const sent = send('x', { signal: cancel.signal }).catch((error: Error) => error.message);
  const agent = await pid('agent.pid');
  cancel.abort(new Error('cancelled'));
  expect(await sent).toBe('cancelled');
  expect(isAlive(agent)).toBe(false);
  expect(await chat.history(id, undefined, call())).toMatchObject([{ role: 'user', content: 'x' }]);
  expect(await chat.list(call())).toMatchObject([{ status: 'waiting' }]);
});

test('a stop of the gateway ends the agent', async () => {
  const { send, pid, chat } = await agentChat('hang');
  const sent = send('x').catch((error: Error) => error.message);
  const agent = await pid('agent.pid');
  await chat.stop();
  expect(await sent).toMatch(/^The gateway stops/);
  expect(isAlive(agent)).toBe(false);
});

test.each(['flood', 'complain'])('an agent that writes without end is ended (%s)', async (mode) => {
  const { send } = await agentChat(mode, ['{prompt}'], { maxOutputBytes: 100_000 });
  expect(await noteOf(send('x'))).toContain('more than 100000 bytes');
});

test('what an agent has started ends with it, also in a session of its own', async () => {
  const { send, pid } = await agentChat('fork');
  expect((await send('x')).reply?.content).toBe('forked');
  expect(isAlive(await pid('forked.pid'))).toBe(false);
});

test('a failure has the last words of the agent, cleaned and without secrets', async () => {
  const { send } = await agentChat('fail');
  const note = await noteOf(send('x'));
  expect(note).toContain('ended with exit code 1');
  expect(note).toContain('Its standard error ended with: first line | no key: ');
  for (const text of ['hunter2', '\u001b']) expect(note).not.toContain(text);
});

test('an agent without an answer, or without JSON, has failed', async () => {
  expect(await noteOf((await agentChat('silent')).send('x'))).toContain('has written nothing');
  const json = { format: 'json', answerAt: 'result' };
  expect(await noteOf((await agentChat('broken', ['{prompt}'], json)).send('x'))).toContain('no JSON object');
  const elsewhere = { format: 'json', answerAt: 'type.result' };
  expect(await noteOf((await agentChat('json', ['1', '{prompt}'], elsewhere)).send('x'))).toContain(
    'no answer at type.result',
  );
});

const CLAUDE = { format: 'json', answerAt: 'result', errorAt: 'is_error', costAt: 'total_cost_usd' };

test('answers are found in a JSON object, within what they may cost', async () => {
  const cheap = await agentChat('json', ['0.5', '{maxCostUsd}', '{prompt}'], { ...CLAUDE, maxCostUsd: 0.5 });
  expect((await cheap.send('x')).reply?.content).toMatch(/x$/);
  const dear = await agentChat('json', ['0.51', '{prompt}'], { ...CLAUDE, maxCostUsd: 0.5 });
  expect(await noteOf(dear.send('x'))).toContain('0.51 US dollars, more than 0.5');
  expect(await noteOf((await agentChat('json-error', ['{prompt}'], CLAUDE)).send('x'))).toContain('out of credit');
});

test('answers are found in lines of JSON', async () => {
  const codex = { format: 'jsonl', answerAt: 'item.text', where: { 'item.type': 'agent_message' }, errorAt: 'error' };
  expect((await (await agentChat('jsonl', ['{prompt}'], codex)).send('last')).reply?.content).toMatch(/last$/);
  expect(await noteOf((await agentChat('jsonl-failed', ['{prompt}'], codex)).send('x'))).toContain(
    'has failed: no model',
  );
});

test('an agent that reports too high a cost is ended at once', async () => {
  const options = { format: 'jsonl', answerAt: 'text', costAt: 'cost', maxCostUsd: 1 };
  const { send, pid } = await agentChat('spender', ['2', '{prompt}'], options);
  expect(await noteOf(send('x'))).toContain('2 US dollars, more than 1');
  expect(isAlive(await pid('agent.pid'))).toBe(false);
});

test('no more agents run at the same time than may', async () => {
  const { send, pid, chat, call, folder } = await agentChat('hang', ['{prompt}'], { maxAgents: 1 });
  const cancel = new AbortController();
  const first = send('x', { signal: cancel.signal }).catch(() => 'cancelled');
  await pid('agent.pid');
  const other = await chat.create('other', call());
  expect(await noteOf(chat.send(other.id, 'y', call({ folder })))).toContain('1 agents are running already');
  cancel.abort();
  expect(await first).toBe('cancelled');
});

test('a program that is not there is said to be so, and none of the project is run in its place', async () => {
  const made = chatSetup({ options: { answers: 'agent', agent: { command: ['no-such-agent', '{prompt}'] } } });
  writeFileSync(path.join(made.folder, 'no-such-agent'), '#!/bin/sh\necho hello\n', { mode: 0o755 });
  const { id } = await made.chat.create('n', made.call());
  expect(await noteOf(made.chat.send(id, 'x', made.call()))).toContain('"no-such-agent" not found');
  const relative = { ...process.env, PATH: `.:${process.env.PATH}` };
  const again = chatSetup({
    env: relative,
    options: { answers: 'agent', agent: { command: ['no-such-agent', '{prompt}'] } },
  });
  writeFileSync(path.join(again.folder, 'no-such-agent'), '#!/bin/sh\necho hello\n', { mode: 0o755 });
  const session = await again.chat.create('n', again.call());
  expect(await noteOf(again.chat.send(session.id, 'x', again.call()))).toContain('not found');
});

test('no secret that redaction knows gets to the arguments of an agent', async () => {
  const { send } = await agentChat('argv', ['{prompt}', '--p={prompt}'], { historyMessages: 0 });
  const secrets = fc.constantFrom(TOKEN, 'AKIAIOSFODNN7ZXCVBNM', 'password = "hunter2secret99"');
  await fc.assert(
    fc.asyncProperty(fc.tuple(fc.string(), secrets, fc.string()), async (parts) => {
      const { reply } = await send(parts.join(' '));
      const words = JSON.parse(reply!.content) as string[];
      expect(words).toHaveLength(2);
      for (const word of words) expect(redact(word).value).toBe(word);
      for (const secret of [TOKEN, 'AKIAIOSFODNN7ZXCVBNM', 'hunter2secret99'])
        expect(words.join()).not.toContain(secret);
    }),
    { numRuns: 8 },
  );
});
