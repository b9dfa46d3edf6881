import { once } from 'node:events';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startModels } from '../../../fixtures/services/models.ts';
import { connectClient, type EraClient } from '../../support/clients/era-clients.ts';
import { BIN, freshHome, type ServeProcess, startServe, writeConfig } from '../../support/gateway.ts';
import { newRepository } from '../../support/git-repository.ts';
import { standIn } from '../../support/knowledge/services.ts';
import { isAlive } from '../../support/processes.ts';

const AGENT = path.resolve('dist-fixtures', 'agent.js');

/** A client of a gateway that works in a folder. */
async function clientIn(folder: string, { url }: Pick<ServeProcess, 'url'>, name = 'tester'): Promise<EraClient> {
  const client = await connectClient('v1', name, { url: `${url}?cwd=${encodeURIComponent(folder)}` });
  onTestFinished(() => client.close().catch(() => undefined));
  return client;
}

/** Writes a config with workflow `ide`. Folders of tests may be named over HTTP. */
function ideConfig(ide: object = {}, more: object = {}, folder?: string): string {
  const workspace = { clientFolders: [realpathSync(tmpdir())] };
  return writeConfig({ enabledWorkflows: ['ide'], workspace, workflows: { ide }, ...more }, folder);
}

async function call(client: EraClient, tool: string, args: Record<string, unknown> = {}): Promise<any> {
  const { structuredContent, content, isError } = await client.call(tool, args, { timeout: 60_000 });
  return isError === true ? (content[0].text as string) : structuredContent;
}

async function createSession(client: EraClient): Promise<string> {
  const made = await call(client, 'ide_session_create', { name: 'a chat' });
  expect(made).toHaveProperty('session');
  return made.session.id;
}

async function saidIn(client: EraClient, sessionId: string): Promise<string[][]> {
  const { messages } = await call(client, 'ide_chat_history', { sessionId });
  return messages.map(({ role, author, content }: Record<string, string>) => [role, author, content]);
}

async function end({ child }: ServeProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

test('a chat with a model goes on over restarts, and the model gets the history', async () => {
  const service = await standIn(startModels({ kind: 'openai', reply: (prompt) => `re: ${prompt}` }));
  const backends = { local: { kind: 'openai', url: service.url, model: service.model } };
  const config = ideConfig({ answers: 'model' }, { models: { backends, default: 'local' } });
  const env = freshHome();
  const folder = newRepository();
  let sessionId = '';
  for (const [round, signal] of (['SIGTERM', 'SIGKILL', 'SIGTERM'] as const).entries()) {
    const serving = await startServe(config, env);
    const client = await clientIn(folder, serving);
    if (round === 0) sessionId = await createSession(client);
    const sent = await call(client, 'ide_chat_send', { sessionId, message: `question ${round}` });
    expect(sent.reply).toMatchObject({ role: 'assistant', content: `re: question ${round}`, author: 'local/tiny' });
    const { sessions } = await call(client, 'ide_session_list');
    expect(sessions).toMatchObject([{ id: sessionId, status: 'idle' }]);
    const asked = service.requests.at(-1)!.body.messages as { content: string }[];
    const before = Array.from({ length: round }, (_, at) => [`question ${at}`, `re: question ${at}`]).flat();
    expect(asked.map(({ content }) => content)).toEqual([...before, `question ${round}`]);
    expect(await saidIn(client, sessionId)).toHaveLength(2 * (round + 1));
    await end(serving, signal);
  }
});

test('two clients of a project talk in one session, which no other project can see', async () => {
  const serving = await startServe(ideConfig(), freshHome());
  const folder = newRepository();
  const [editor, terminal] = [await clientIn(folder, serving, 'editor'), await clientIn(folder, serving, 'terminal')];
  const sessionId = await createSession(editor);
  const sent = await call(editor, 'ide_chat_send', { sessionId, message: 'question' });
  expect(sent.note).toContain('ide_chat_history');
  const listed = async () => (await call(terminal, 'ide_session_list')).sessions;
  expect(await listed()).toMatchObject([{ id: sessionId, status: 'waiting' }]);
  expect(await saidIn(terminal, sessionId)).toEqual([['user', 'editor', 'question']]);
  await call(terminal, 'ide_chat_send', { sessionId, message: 'answer' });
  expect(await saidIn(editor, sessionId)).toEqual([
    ['user', 'editor', 'question'],
    ['assistant', 'terminal', 'answer'],
  ]);
  expect(await listed()).toMatchObject([{ id: sessionId, status: 'idle' }]);
  const { metrics } = await call(editor, 'ide_dashboard_metrics');
  expect(metrics).toMatchObject({ agentSessions: 1, messagesTotal: 2 });
  const stranger = await clientIn(newRepository(), serving);
  expect(await listed()).toHaveLength(1);
  expect((await call(stranger, 'ide_session_list')).sessions).toEqual([]);
  for (const [tool, more] of [
    ['ide_chat_send', { message: 'x' }],
    ['ide_chat_history', {}],
    ['ide_plan_status', {}],
  ] as const)
    expect(await call(stranger, tool, { sessionId, ...more })).toContain('no such chat session');
});

/** A gateway whose chats an agent answers that behaves in a way, and a session. */
async function agentPlace(mode: string, args: readonly string[], more: object = {}) {
  const agent = { command: [process.execPath, AGENT, mode, ...args, '{prompt}'], ...more };
  const env = freshHome();
  const config = ideConfig({ answers: 'agent', agent });
  const folder = newRepository();
  const serving = await startServe(config, env);
  const client = await clientIn(folder, serving);
  const sessionId = await createSession(client);
  const send = (message: string) => call(client, 'ide_chat_send', { sessionId, message });
  return { folder, client, serving, sessionId, send };
}

const pidIn = (folder: string, name: string) => Number(readFileSync(path.join(folder, name), 'utf8'));

test('an agent answers', async () => {
  const { send } = await agentPlace('echo', []);
  const { reply } = await send('hello');
  expect(reply).toMatchObject({ role: 'assistant', content: expect.stringMatching(/hello$/) });
});

test('an agent that hangs is ended after its time limit, and the chat goes on', async () => {
  const { send, folder, client } = await agentPlace('hang', [], { timeoutMs: 2_000 });
  const { note, sent, reply } = await send('hello');
  expect([sent, reply]).toEqual([true, undefined]);
  expect(note).toContain('within 2000 ms (timeoutMs)');
  expect(isAlive(pidIn(folder, 'agent.pid'))).toBe(false);
  expect((await call(client, 'ide_session_list')).sessions).toMatchObject([{ status: 'waiting' }]);
});

test.each(['flood', 'complain'])('an agent that writes without end (%s) is ended', async (mode) => {
  const { send, client, sessionId } = await agentPlace(mode, [], { maxOutputBytes: 1_000_000 });
  expect((await send('hello')).note).toContain('more than 1000000 bytes');
  expect(await saidIn(client, sessionId)).toHaveLength(1);
});

test('nothing is left of an agent that forks', async () => {
  const { send, folder } = await agentPlace('fork', []);
  expect((await send('hello')).reply.content).toBe('forked');
  expect(isAlive(pidIn(folder, 'forked.pid'))).toBe(false);
});

test('nothing is left of an agent whose gateway is killed', async () => {
  const { send, folder, serving } = await agentPlace('hang', [], { timeoutMs: 600_000 });
  void send('hello').catch(() => undefined);
  await expect.poll(() => existsSync(path.join(folder, 'agent.pid')), { timeout: 20_000 }).toBe(true);
  await expect.poll(() => pidIn(folder, 'agent.pid')).toBeGreaterThan(0);
  await end(serving, 'SIGKILL');
  await expect.poll(() => isAlive(pidIn(folder, 'agent.pid')), { timeout: 20_000 }).toBe(false);
});

test('an agent gets no agent by a gateway that it starts itself', async () => {
  const home = freshHome();
  const folder = newRepository();
  const config = ideConfig();
  const command = [process.execPath, AGENT, 'gateway', BIN, config, home.VIADUCT_HOME!, '{sessionId}', '{prompt}'];
  ideConfig({ answers: 'agent', agent: { command, timeoutMs: 60_000 } }, {}, path.dirname(config));
  const serving = await startServe(config, home);
  const client = await clientIn(folder, serving);
  const sessionId = await createSession(client);
  const { reply, note } = await call(client, 'ide_chat_send', { sessionId, message: 'hello' });
  expect(note).toBeUndefined();
  expect(reply.content).toContain('VIADUCT_DEPTH');
  expect((await saidIn(client, sessionId)).map(([role, author]) => [role, author])).toEqual([
    ['user', 'tester'],
    ['user', 'agent'],
    ['assistant', path.basename(process.execPath)],
  ]);
});
