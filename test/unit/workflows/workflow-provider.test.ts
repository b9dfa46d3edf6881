import { describe, expect, test } from 'vitest';
import { createLog } from '../../../src/telemetry/log.ts';
import { WorkflowProvider } from '../../../src/workflows/workflow-provider.ts';
import { checkpointSetup } from './checkpoint/checkpoint-setup.ts';
import { send } from './workflow-setup.ts';

const uri = 'checkpoint://p';
const append = { project_id: 'p', text: 'x' };

describe('resources of a workflow', () => {
  test('are listed once they are there, and read', async () => {
    const { call, provider, request, offers } = checkpointSetup();
    expect(provider.listing().resource).toEqual([]);
    const before = offers();
    await call('append_todo', append);
    await expect.poll(() => provider.listing().resource.map(({ ownName }) => ownName)).toEqual([uri]);
    expect(offers()).toBe(before + 1);
    const { result } = await request('resources/read', { uri });
    expect(JSON.parse(result.contents[0].text).bundle.todos).toMatchObject([{ text: 'x' }]);
    const listing = provider.listing();
    await call('append_todo', append);
    expect(provider.listing()).toBe(listing);
  });

  test('that are not there are unknown', async () => {
    const { request } = checkpointSetup();
    expect((await request('resources/read', { uri })).error.code).toBe('UNKNOWN_RESOURCE');
    expect((await request('resources/read', { uri: 'checkpoint://a/b' })).error.code).toBe('UNKNOWN_RESOURCE');
  });

  test('change for those alone who have subscribed, until they leave', async () => {
    const { call, provider, request, updates } = checkpointSetup();
    for (const id of ['a', 'b', 'c']) await request('resources/subscribe', { uri }, { id });
    await request('resources/subscribe', { uri: 'checkpoint://q' }, { id: 'd' });
    await request('resources/unsubscribe', { uri }, { id: 'b' });
    provider.onSessionEnded('c');
    await call('append_todo', append);
    expect(updates).toEqual([{ session: 'a', uri }]);
  });

  test('of this workflow are known by their uri', () => {
    const { provider } = checkpointSetup();
    expect(provider.acceptsUnlisted('resource', uri)).toBe(true);
    expect(provider.acceptsUnlisted('resource', 'checkpoint://')).toBe(false);
    expect(provider.acceptsUnlisted('resource', 'file:///p')).toBe(false);
    expect(provider.acceptsUnlisted('tool', 'save')).toBe(false);
  });
});

test('a workflow without resources lists the same as long as its tools are the same', () => {
  const workflow = { tools: () => [], start: () => undefined, stop: async () => undefined };
  const log = createLog({ level: 'silent' });
  const directory = { get: () => undefined, sole: () => undefined };
  const provider = new WorkflowProvider({ name: 'bare', workflow, log, directory });
  expect(provider.listing()).toBe(provider.listing());
});

describe('completion', () => {
  test.each([
    [{ type: 'ref/prompt', name: 'resume_checkpoint' }, 'project_id', ['p']],
    [{ type: 'ref/prompt', name: 'resume_checkpoint' }, 'other', []],
    [{ type: 'ref/resource', uri: 'checkpoint://{project_id}' }, 'project_id', ['p']],
  ])('of %o, %s', async (ref, name, values) => {
    const { call, request } = checkpointSetup();
    await call('append_todo', append);
    const { result } = await request('completion/complete', { ref, argument: { name, value: '' } });
    expect(result.completion.values).toEqual(values);
  });
});

describe('the folder of a client', () => {
  const roots = (asked: string[]) => (method: string) => {
    asked.push(method);
    return { roots: [{ uri: 'https://example.com' }, { uri: 'file:///from/roots' }] };
  };
  const projectOf = async (params: object, client: object) => {
    const { request, call } = checkpointSetup();
    const known = await call('get_project_id', { cwd: (params as { expected: string }).expected });
    const { expected: _expected, ...rest } = params as { expected: string };
    const { result } = await request('tools/call', { name: 'list_checkpoints', arguments: {}, ...rest }, client);
    expect(result.structuredContent.project_id).toBe(known.project_id);
  };

  test('in _meta counts before all else', async () => {
    const asked: string[] = [];
    const client = { folder: { path: '/b', source: 'request' }, capabilities: { roots: {} }, answer: roots(asked) };
    await projectOf({ expected: '/a', _meta: { 'viaduct/cwd': '/a', cwd: '/c' } }, client);
    await projectOf({ expected: '/c', _meta: { cwd: '/c' } }, client);
    expect(asked).toEqual([]);
  });

  test('that came with the request counts before roots, and those before where the program was started', async () => {
    const asked: string[] = [];
    const capable = { capabilities: { roots: {} }, answer: roots(asked) };
    await projectOf({ expected: '/b' }, { folder: { path: '/b', source: 'request' }, ...capable });
    expect(asked).toEqual([]);
    await projectOf({ expected: '/from/roots' }, { folder: { path: '/b', source: 'start' }, ...capable });
    await projectOf({ expected: '/b' }, { folder: { path: '/b', source: 'start' } });
    expect(asked).toEqual(['roots/list']);
  });

  test('is asked again when the roots have changed', async () => {
    const { call, provider } = checkpointSetup();
    const asked: string[] = [];
    const client = { capabilities: { roots: {} }, answer: roots(asked) };
    await call('list_checkpoints', {}, client);
    await call('list_checkpoints', {}, client);
    expect(asked).toHaveLength(1);
    provider.onRootsChanged('client');
    await call('list_checkpoints', {}, client);
    expect(asked).toHaveLength(2);
  });

  test('need not be known where the project is named', async () => {
    const { call } = checkpointSetup();
    expect(await call('list_checkpoints')).toMatchObject({ code: 'INVALID_PARAMS' });
    expect(await call('list_checkpoints', { project_id: 'p' })).toMatchObject({ checkpoints: [] });
  });
});

test('a call that is cancelled is not answered, also while its client is asked', async () => {
  const { call, provider, store } = checkpointSetup();
  await call('append_todo', append);
  let isAsked: (() => void) | undefined;
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  const client = {
    capabilities: { elicitation: {} },
    answer: () => {
      isAsked?.();
      return undefined;
    },
  };
  const args = { name: 'delete_project', arguments: { project_id: 'p' } };
  const { answered, cancel } = send(provider, 'tools/call', args, client);
  await asked;
  cancel();
  const winner = await Promise.race([answered, new Promise((resolve) => setImmediate(() => resolve('silence')))]);
  expect(winner).toBe('silence');
  expect(await store.load('p')).toBeDefined();
});

test('a method that no workflow knows is refused', async () => {
  const { request } = checkpointSetup();
  expect((await request('tools/call', { name: 'no_such' })).error.code).toBe('UNKNOWN_TOOL');
  expect((await request('prompts/get', { name: 'no_such' })).error.code).toBe('UNKNOWN_PROMPT');
});
