import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../../src/core/errors.ts';
import { localAnswer } from '../../../../src/session/local/local-answer.ts';
import type { ExtraMethod } from '../../../../src/session/session-host.ts';
import { toBuffer } from '../../../../src/wire/bytes.ts';
import type { RequestMessage } from '../../../../src/wire/message.ts';
import { modernSetup, read } from '../modern-setup.ts';

interface Given {
  readonly principal?: { readonly id: string; readonly name: string };
  readonly extraMethods?: ReadonlyMap<string, ExtraMethod>;
}

/** A legacy client, what the log got, and answers as they go to it. */
function open({ principal, extraMethods }: Given = {}) {
  const { host: made, sessions, provider } = modernSetup();
  const info: Record<string, unknown>[] = [];
  const errors: string[] = [];
  const log = {
    ...made.log,
    info: (facts: Record<string, unknown>) => void info.push(facts),
    error: (_facts: object, text: string) => void errors.push(text),
  };
  const host = { ...made, log: log as never, instructions: () => 'Read this' };
  const options = { id: 's', transport: 'test', profile: undefined, folderRule: undefined, output: () => undefined };
  const client = sessions.open(host, { ...options, ...(principal !== undefined && { principal: principal as never }) });
  const ask = async (method: string, params?: object) => {
    const message = read<RequestMessage>(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    const reply = await localAnswer(message, { client, payer: 'p', extraMethods });
    return JSON.parse(toBuffer(reply.withId('1')).toString()) as Record<string, any>;
  };
  return { client, ask, info, errors, provider };
}

const HELLO = { protocolVersion: '2025-11-25', capabilities: { roots: {} }, clientInfo: { name: 'agent' } };

describe('the handshake', () => {
  test('notes what the client says of itself, and says what the gateway is', async () => {
    const { client, ask, info } = open();
    const { result } = await ask('initialize', HELLO);
    expect(result).toMatchObject({
      protocolVersion: '2025-11-25',
      capabilities: { tools: { listChanged: true }, tasks: expect.anything() },
      serverInfo: { name: 'gateway', version: '1' },
      instructions: 'Read this',
    });
    expect(client.introduction.capabilities).toEqual({ roots: {} });
    expect(info).toEqual([{ event: 'client', session: 's', client: 'agent', revision: '2025-11-25' }]);
  });

  test('offers no tasks to a client of a revision that has none', async () => {
    const { result } = await open().ask('initialize', { ...HELLO, protocolVersion: '2025-06-18' });
    expect(result.protocolVersion).toBe('2025-06-18');
    expect(result.capabilities).not.toHaveProperty('tasks');
  });

  test('passes on what servers declare that clients can use', async () => {
    const { ask, provider } = open();
    const skills = { 'io.modelcontextprotocol/skills': {} };
    Object.assign(provider, { declared: () => ({ extensions: skills }) });
    const { result } = await ask('initialize', HELLO);
    expect(result.capabilities.extensions).toMatchObject(skills);
  });

  test('puts the name that the client has proved in the log', async () => {
    const { ask, info } = open({ principal: { id: 'u1', name: 'Ann' } });
    await ask('initialize', HELLO);
    expect(info).toMatchObject([{ principal: 'Ann' }]);
  });

  test('is refused where the introduction is longer than is kept', async () => {
    const { client, ask } = open();
    const sized = (bytes: number) => {
      const words = { ...HELLO, clientInfo: { name: '' } };
      const own = JSON.stringify([words.capabilities, words.clientInfo]).length;
      return { ...words, clientInfo: { name: 'x'.repeat(bytes - own) } };
    };
    expect(await ask('initialize', sized(64 * 1024 + 1))).toMatchObject({
      error: { code: -32602, message: expect.stringContaining('too long') },
    });
    expect(client.introduction.isIntroduced).toBe(false);
    expect(await ask('initialize', sized(64 * 1024))).toHaveProperty('result');
  });
});

test('a log level that exists is kept, and any other is refused with those that exist', async () => {
  const { client, ask, provider } = open();
  const told: string[] = [];
  Object.assign(provider, { setLogLevel: (id: string, level: string) => told.push(`${id} ${level}`) });
  expect(await ask('logging/setLevel', { level: 'loud' })).toMatchObject({
    error: { code: -32602, message: expect.stringContaining('debug, info') },
  });
  expect(told).toEqual([]);
  expect(await ask('logging/setLevel', { level: 'error' })).toMatchObject({ result: {} });
  expect(told).toEqual(['s error']);
  client.onProvidersChanged();
  expect(told).toEqual(['s error']);
});

test.each(['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list', 'tasks/list', 'skills/list'])(
  '%s is one page: it knows no cursor',
  async (method) => {
    const { ask } = open();
    expect(await ask(method, { cursor: 'x' })).toMatchObject({ error: { code: -32602 } });
    expect(await ask(method)).toHaveProperty('result');
  },
);

test('the tasks of a client are those that each provider has for it', async () => {
  const { ask, provider } = open();
  Object.assign(provider, { tasks: { list: async (id: string) => [`{"taskId":"a of ${id}"}`, '{"taskId":"b"}'] } });
  expect((await ask('tasks/list')).result).toEqual({ tasks: [{ taskId: 'a of s' }, { taskId: 'b' }] });
});

describe('a method of the command line', () => {
  const extraMethods = new Map<string, ExtraMethod>([
    ['viaduct/echo', async (params, { host }) => ({ params, name: host.serverInfo.name })],
    ['viaduct/refuse', () => Promise.reject(new GatewayError('UNKNOWN_TOOL', 'no such thing'))],
    ['viaduct/break', () => Promise.reject(new Error('broken'))],
  ]);

  test('is answered where the client has it, and does not exist elsewhere', async () => {
    expect((await open({ extraMethods }).ask('viaduct/echo', { a: 1 })).result).toEqual({
      params: { a: 1 },
      name: 'gateway',
    });
    expect((await open({ extraMethods }).ask('viaduct/echo')).result).toEqual({ params: {}, name: 'gateway' });
    expect(await open().ask('viaduct/echo')).toMatchObject({
      error: { code: -32601, message: 'Method not found: viaduct/echo' },
    });
    expect(await open({ extraMethods }).ask('viaduct/other')).toMatchObject({ error: { code: -32601 } });
  });

  test('that fails is answered with an error; only what is no refusal is logged as a fault', async () => {
    const { ask, errors } = open({ extraMethods });
    expect(await ask('viaduct/refuse')).toMatchObject({ error: { message: expect.stringContaining('no such thing') } });
    expect(errors).toEqual([]);
    expect(await ask('viaduct/break')).toHaveProperty('error');
    expect(errors).toEqual(['a fault of the gateway while it answered']);
  });
});
