import { realpathSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { FULL_PERMISSIONS, scopeOf } from '../../../../../src/core/access/permissions.ts';
import { GatewayError } from '../../../../../src/core/errors.ts';
import { ownStamp, stampText } from '../../../../../src/core/processes/process-stamp.ts';
import type { Generation, ModelBackends } from '../../../../../src/core/settings/model-backends.ts';
import { redact } from '../../../../../src/redaction/redact.ts';
import { openCheckpointStore } from '../../../../../src/store/checkpoints/open-checkpoint-store.ts';
import { openChatStore } from '../../../../../src/store/ide/open-chat-store.ts';
import { temporaryFolder } from '../../../../support/gateway.ts';
import { chatSetup } from '../chat-setup.ts';

const MODEL = { answers: 'model' };
const TOKEN = `ghp_${'a1B2c3D4e5F6g7H8i9'.repeat(2)}`;

const generation = (text: string): Generation => ({ text, backend: 'stand-in', model: 'm1', end: 'whole' });
const echo: ModelBackends['generate'] = (_name, { messages }) =>
  Promise.resolve(generation(`answer to ${messages.at(-1)!.content}`));

/** A model whose answers the test gives, one by one. */
function heldModel() {
  const asked: { prompt: string[]; answer: (text: string) => void; fail: (error: Error) => void }[] = [];
  const generate: ModelBackends['generate'] = (_name, { messages }, { signal }) =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
      const prompt = messages.map(({ role, content }) => `${role}: ${content}`);
      asked.push({ prompt, answer: (text) => resolve(generation(text)), fail: reject });
    });
  return { asked, generate, until: (count: number) => expect.poll(() => asked.length).toBe(count) };
}

const faultOf = (promise: Promise<unknown>): Promise<GatewayError> =>
  promise.then(
    () => Promise.reject(new Error('it did not fail')),
    (error) => error,
  );
const texts = (messages: readonly { content: string }[]) => messages.map(({ content }) => content);

test('two clients talk in a session, and its status says whose turn it is', async () => {
  const { chat, call } = chatSetup();
  const [asker, other] = [call({ name: 'editor' }), call({ name: 'terminal' })];
  const { id } = await chat.create('n', other);
  const status = async () => (await chat.list(call()))[0]!.status;
  await chat.send(id, 'question', asker);
  expect(await status()).toBe('waiting');
  expect((await chat.send(id, 'answer', other)).note).toContain('stored as an answer');
  expect(await status()).toBe('idle');
  await chat.send(id, 'next question', asker);
  expect(await status()).toBe('waiting');
  // Two clients of one name say themselves who answers.
  await chat.send(id, 'next answer', asker, 'assistant');
  expect(await status()).toBe('idle');
  const said = (await chat.history(id, undefined, other)).map(({ role, author, content }) => [role, author, content]);
  expect(said).toEqual([
    ['user', 'editor', 'question'],
    ['assistant', 'terminal', 'answer'],
    ['user', 'editor', 'next question'],
    ['assistant', 'editor', 'next answer'],
  ]);
  expect(await chat.counts(undefined, 0)).toEqual({ sessions: 1, messages: 4 });
});

test('where a model answers, it answers all clients but those that answer themselves', async () => {
  const { chat, call } = chatSetup({ options: MODEL, generate: echo });
  const { id } = await chat.create('n', call());
  for (const name of ['editor', 'terminal'])
    expect(await chat.send(id, 'x', call({ name }))).toMatchObject({ reply: { content: 'answer to x' } });
  expect(await chat.send(id, 'x', call(), 'assistant')).not.toHaveProperty('reply');
  expect((await chat.history(id, undefined, call())).map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'user',
    'assistant',
    'assistant',
  ]);
});

test('an answer that is too long says that it is cut, and one without readable text is none', async () => {
  const answers = ['x'.repeat(300_000), '\u200b\u0007 '];
  const { chat, call } = chatSetup({ options: MODEL, generate: async () => generation(answers.shift()!) });
  const { id } = await chat.create('n', call());
  const { reply, note } = await chat.send(id, 'one', call());
  expect(reply!.content).toHaveLength(262_144);
  expect(note).toContain('longer than 262144 characters');
  const second = await chat.send(id, 'two', call());
  expect(second).not.toHaveProperty('reply');
  expect(second.note).toContain('no readable text');
});

test('messages are left to others where nobody answers', async () => {
  const { chat, call, told, watch } = chatSetup();
  const made = await chat.create('Plan the release', call());
  expect(made).toEqual({
    id: expect.any(String),
    name: 'Plan the release',
    status: 'idle',
    createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  const stop = watch(made.id);
  const sent = await chat.send(made.id, 'Hello', call({ name: 'ed\u0007itor' }));
  expect(sent).toEqual({
    sent: true,
    timestamp: expect.any(String),
    note: expect.stringContaining('ide_chat_history'),
  });
  const stored = { role: 'user', timestamp: sent.timestamp, author: 'editor' };
  expect(await chat.history(made.id.toUpperCase(), undefined, call())).toEqual([{ ...stored, content: 'Hello' }]);
  expect(await chat.list(call())).toEqual([{ ...made, status: 'waiting' }]);
  // Whoever knows the channel of a chat may not read its texts by it.
  expect(told).toEqual([
    { channel: `chat:${made.id}`, type: 'event', data: { sessionId: made.id, event: 'message', ...stored } },
  ]);
  stop();
});

test('a model answers with the conversation before it', async () => {
  const asked: unknown[] = [];
  const { chat, call, told, watch } = chatSetup({
    options: {
      ...MODEL,
      liveText: true,
      model: { backend: 'b', model: 'm', system: 'Be brief.', temperature: 0.5, maxTokens: 7, historyMessages: 3 },
    },
    generate: (name, request, { onText, client }) => {
      asked.push([name, request, client]);
      for (const piece of ['an', '', 'swer']) onText!(piece);
      return Promise.resolve({ ...generation(`answer ${asked.length}`), end: asked.length === 1 ? 'length' : 'whole' });
    },
  });
  const { id } = await chat.create('n', call());
  watch(id);
  const first = call();
  const sent = await chat.send(id, 'one', first);
  expect(sent).toEqual({
    sent: true,
    timestamp: expect.any(String),
    reply: { role: 'assistant', content: 'answer 1', timestamp: expect.any(String), author: 'stand-in/m1' },
    note: expect.stringContaining('maxTokens'),
  });
  expect(first.progressed.map(({ progress }) => progress)).toEqual([2, 6]);
  expect(told.map(({ data }) => data)).toMatchObject([
    { event: 'message', role: 'user', content: 'one' },
    { event: 'answering' },
    { event: 'message', role: 'assistant', content: 'answer 1' },
  ]);
  await chat.send(id, 'two', call());
  const sampling = { canSample: true };
  expect(await chat.send(id, 'three', { ...call(), sampling } as never)).not.toHaveProperty('note');
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'assistant', content: 'answer 1' },
    { role: 'user', content: 'two' },
    { role: 'assistant', content: 'answer 2' },
    { role: 'user', content: 'three' },
  ];
  expect(asked[2]).toEqual(['b', { messages, model: 'm', temperature: 0.5, maxTokens: 7 }, sampling]);
  expect(texts(await chat.history(id, 2, call()))).toEqual(['three', 'answer 3']);
  expect((await chat.list(call()))[0]!.status).toBe('idle');
});

test('two who send at the same time are answered one after another, each by itself', async () => {
  const model = heldModel();
  const { chat, call } = chatSetup({ options: MODEL, generate: model.generate });
  const { id } = await chat.create('n', call());
  const one = chat.send(id, 'one', call());
  await model.until(1);
  const two = chat.send(id, 'two', call());
  await expect.poll(async () => texts(await chat.history(id, undefined, call()))).toEqual(['one', 'two']);
  expect((await chat.list(call()))[0]!.status).toBe('answering');
  expect(model.asked).toHaveLength(1);
  model.asked[0]!.answer('re one');
  expect((await one).reply?.content).toBe('re one');
  await model.until(2);
  expect(model.asked.map(({ prompt }) => prompt)).toEqual([
    ['user: one'],
    ['user: one', 'assistant: re one', 'user: two'],
  ]);
  model.asked[1]!.answer('re two');
  expect((await two).reply?.content).toBe('re two');
  expect(texts(await chat.history(id, undefined, call()))).toEqual(['one', 'two', 're one', 're two']);
});

test('two gateways answer one after another', async () => {
  const model = heldModel();
  const one = chatSetup({ options: MODEL, generate: model.generate });
  const two = chatSetup({ options: MODEL, generate: model.generate, home: one.home });
  const { id } = await one.chat.create('n', one.call());
  const first = one.chat.send(id, 'one', one.call());
  await model.until(1);
  const second = two.chat.send(id, 'two', two.call({ folder: one.folder }));
  await expect.poll(async () => texts(await one.chat.history(id, 9, one.call()))).toEqual(['one', 'two']);
  expect((await two.chat.list(two.call({ folder: one.folder })))[0]!.status).toBe('answering');
  model.asked[0]!.answer('re one');
  await first;
  await model.until(2);
  model.asked[1]!.answer('re two');
  expect((await second).reply?.content).toBe('re two');
});

test('a cancel ends the answer, and lets the next one begin', async () => {
  const model = heldModel();
  const { chat, call } = chatSetup({ options: MODEL, generate: model.generate });
  const { id } = await chat.create('n', call());
  const [first, waiting] = [new AbortController(), new AbortController()];
  const one = chat.send(id, 'one', call({ signal: first.signal }));
  await model.until(1);
  const two = chat.send(id, 'two', call({ signal: waiting.signal }));
  const three = chat.send(id, 'three', call());
  await expect.poll(async () => (await chat.history(id, 9, call())).length).toBe(3);
  waiting.abort(new Error('two has gone'));
  expect((await faultOf(two)).message).toBe('two has gone');
  first.abort(new Error('one has gone'));
  expect((await faultOf(one)).message).toBe('one has gone');
  await model.until(2);
  model.asked[1]!.answer('re three');
  expect((await three).reply?.content).toBe('re three');
  expect((await chat.list(call()))[0]!.status).toBe('idle');
});

test('an answer is stored although its caller has gone', async () => {
  const gone = new AbortController();
  const { chat, call } = chatSetup({
    options: MODEL,
    generate: () => {
      gone.abort(new Error('gone'));
      return Promise.resolve(generation('late'));
    },
  });
  const { id } = await chat.create('n', call());
  await chat.send(id, 'one', call({ signal: gone.signal }));
  expect(texts(await chat.history(id, undefined, call()))).toEqual(['one', 'late']);
});

test('a stop breaks off what is being answered, and the next gateway goes on with the chat', async () => {
  const model = heldModel();
  const before = chatSetup({ options: MODEL, generate: model.generate });
  const { id } = await before.chat.create('n', before.call());
  const fault = faultOf(before.chat.send(id, 'one', before.call()));
  await model.until(1);
  await before.chat.stop();
  expect((await fault).code).toBe('CALL_CANCELLED');
  const after = chatSetup({ options: MODEL, generate: echo, home: before.home });
  const call = after.call({ folder: before.folder });
  expect(await after.chat.list(call)).toMatchObject([{ id, status: 'waiting' }]);
  expect((await after.chat.send(id, 'two', call)).reply?.content).toBe('answer to two');
  expect(texts(await after.chat.history(id, undefined, call))).toEqual(['one', 'two', 'answer to two']);
});

test('a gateway that was killed leaves no chat that is being answered', async () => {
  const { chat, call, database } = chatSetup({ options: MODEL, generate: echo });
  const { id } = await chat.create('n', call());
  const store = openChatStore(database);
  const killed = `${stampText({ ...ownStamp(), startedAt: '1' })} chat`;
  expect(await store.take(id, killed, () => false)).toBe(true);
  expect((await chat.list(call()))[0]!.status).toBe('idle');
  expect((await chat.send(id, 'one', call())).reply?.content).toBe('answer to one');
});

test('whoever answers on another machine counts as gone after a minute of silence', async () => {
  const { chat, call, database } = chatSetup();
  const { id } = await chat.create('n', call());
  const elsewhere = `${stampText({ ...ownStamp(), place: '00000000' })} chat`;
  await openChatStore(database).take(id, elsewhere, () => false);
  expect((await chat.list(call()))[0]!.status).toBe('answering');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
  try {
    expect((await chat.list(call()))[0]!.status).toBe('idle');
  } finally {
    vi.useRealTimers();
  }
});

test('a failure is a note; the message stays, and the next one is answered', async () => {
  let calls = 0;
  const { chat, call, told, watch } = chatSetup({
    options: MODEL,
    generate: (...args) => {
      calls++;
      if (calls === 1) return Promise.reject(new GatewayError('MODEL_FAILED', 'The backend is down. Start it'));
      return calls === 2 ? Promise.resolve(generation(' \n')) : echo(...args);
    },
  });
  const { id } = await chat.create('n', call());
  watch(id);
  const sent = await chat.send(id, 'one', call());
  expect(sent).toEqual({
    sent: true,
    timestamp: expect.any(String),
    note: 'Nobody has answered; the message is stored. The backend is down. Start it',
  });
  expect(told.map(({ data }) => (data as { event: string }).event)).toEqual(['message', 'answering', 'unanswered']);
  expect((await chat.send(id, 'two', call())).note).toContain('empty');
  expect((await chat.list(call()))[0]!.status).toBe('waiting');
  expect((await chat.send(id, 'three', call())).reply?.content).toBe('answer to three');
  expect(texts(await chat.history(id, undefined, call()))).toEqual(['one', 'two', 'three', 'answer to three']);
});

test('a fault of the gateway itself is no note', async () => {
  const { chat, call } = chatSetup({ options: MODEL, generate: () => Promise.reject(new TypeError('a fault')) });
  const { id } = await chat.create('n', call());
  expect(await faultOf(chat.send(id, 'one', call()))).toBeInstanceOf(TypeError);
  expect((await chat.list(call()))[0]!.status).toBe('waiting');
});

test('chats of other projects are not there', async () => {
  const { chat, call } = chatSetup();
  const { id } = await chat.create('mine', call());
  const other = call({ folder: realpathSync(temporaryFolder()) });
  const id404 = '00000000-0000-4000-8000-000000000000';
  for (const use of [
    (session: string) => chat.history(session, undefined, other),
    (session: string) => chat.send(session, 'x', other),
    (session: string) => chat.plan(session, other),
  ]) {
    const fault = await faultOf(use(id));
    expect(fault.code).toBe('IDE_SESSION_NOT_FOUND');
    expect((await faultOf(use(id404))).message).toBe(fault.message);
  }
  expect(await chat.list(other)).toEqual([]);
  const limited = call({ scope: scopeOf({ ...FULL_PERMISSIONS, projects: [['other-*']] }) });
  expect((await faultOf(chat.list(limited))).code).toBe('OUTSIDE_PROJECTS');
  expect((await faultOf(chat.history(id, undefined, limited))).code).toBe('OUTSIDE_PROJECTS');
  const nowhere = await faultOf(chat.create('n', { ...call(), folder: () => Promise.resolve(undefined) }));
  expect(nowhere.message).toContain('folder of this client is not known');
  expect(nowhere.message).not.toContain('project_id');
});

test('blank and long texts are refused before anything is stored', async () => {
  const { chat, call } = chatSetup({ options: { messageCharacters: 5 } });
  const { id } = await chat.create('\u{1F980}'.repeat(200), call());
  expect((await chat.send(id, '\u{1F980}'.repeat(5), call())).sent).toBe(true);
  for (const refused of [
    chat.create(' \n', call()),
    chat.create('x'.repeat(201), call()),
    chat.send(id, ' ', call()),
    chat.send(id, '123456', call()),
  ])
    expect((await faultOf(refused)).code).toBe('INVALID_PARAMS');
  expect(await chat.history(id, undefined, call())).toHaveLength(1);
});

test('a plan is that of the newest checkpoint', async () => {
  const { chat, call, database, folder } = chatSetup();
  const { id } = await chat.create('n', call());
  expect(await chat.plan(id, call())).toEqual({ status: 'unknown', steps: [] });
  const session = (await openChatStore(database).get(id))!;
  const checkpoints = openCheckpointStore({ database });
  const bundle = {
    plan: {
      current_step: 'b',
      steps: [
        { id: 'a', text: 'first', status: 'done' },
        { id: 'b', text: 'second' },
      ],
    },
  };
  await checkpoints.update(session.projectId, { sourceIde: 'test', kind: 'save' }, () => ({
    bundle,
    outcome: undefined,
  }));
  expect(await chat.plan(id, call({ folder }))).toEqual({
    status: 'in_progress',
    steps: [
      { name: 'first', status: 'done' },
      { name: 'second', status: 'in_progress' },
    ],
  });
  await checkpoints.close();
});

test('messages are counted', async () => {
  const { chat, call, database } = chatSetup({ options: MODEL, generate: echo });
  const { id } = await chat.create('n', call());
  await chat.send(id, 'one', call());
  const { projectId } = (await openChatStore(database).get(id))!;
  expect(await chat.counts(undefined, 0)).toEqual({ sessions: 1, messages: 2 });
  expect(await chat.counts([projectId], 0)).toEqual({ sessions: 1, messages: 2 });
  expect(await chat.counts([], 0)).toEqual({ sessions: 0, messages: 0 });
});

test('no secret that redaction knows is stored or gets to a model', async () => {
  const prompts: string[] = [];
  const { chat, call } = chatSetup({
    options: { ...MODEL, liveText: true },
    generate: (_name, { messages }) => {
      prompts.push(...messages.map(({ content }) => content));
      return Promise.resolve(generation(`\u001b[31m${messages.at(-1)!.content} and ${TOKEN}`));
    },
  });
  const secrets = fc.constantFrom(
    TOKEN,
    'AKIAIOSFODNN7ZXCVBNM',
    'password = "hunter2secret99"',
    'xoxb-123456789012-abcdefABCDEF',
  );
  const text = fc.tuple(fc.string(), secrets, fc.string({ unit: 'grapheme' })).map((parts) => parts.join(' '));
  await fc.assert(
    fc.asyncProperty(text, async (message) => {
      const { id, name } = await chat.create(message.slice(0, 200), call());
      await chat.send(id, message, call());
      const stored = [name, ...texts(await chat.history(id, undefined, call())), ...prompts.splice(0)];
      for (const one of stored) {
        expect(redact(one).value).toBe(one);
        expect(one).not.toContain(TOKEN);
      }
    }),
    { numRuns: 30 },
  );
  const off = chatSetup({ options: { redaction: 'off' } });
  const { id } = await off.chat.create('n', off.call());
  await off.chat.send(id, TOKEN, off.call());
  expect(texts(await off.chat.history(id, 1, off.call()))).toEqual([TOKEN]);
});
