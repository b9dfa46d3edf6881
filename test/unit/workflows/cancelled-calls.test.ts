import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { WorkflowProvider } from '../../../src/workflows/workflow-provider.ts';
import { checkpointSetup } from './checkpoint/checkpoint-setup.ts';
import { send, type TestClient } from './workflow-setup.ts';

const SAVE = { source_ide: 'cursor', bundle_patch: { todos: [{ id: 't1', text: 'x' }] }, force: true };

/** A client that answers a question when the test says so. */
function slowClient(capabilities: object, name = 'slow'): { client: TestClient; asked: string[]; held: Promise<void> } {
  const asked: string[] = [];
  let tell: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const answer = (method: string) => {
    asked.push(method);
    tell();
    return undefined;
  };
  return { client: { capabilities, answer, name }, asked, held };
}

function tool(provider: WorkflowProvider, name: string, args: object, client: TestClient) {
  return send(provider, 'tools/call', { name, arguments: args }, client);
}

describe('a cancelled call writes nothing', () => {
  test.each([
    ['save_checkpoint', SAVE],
    ['append_todo', { text: 'x' }],
    ['append_decision', { text: 'x' }],
  ])('%s, while its client is asked for its roots', async (name, args) => {
    const { provider, store } = checkpointSetup();
    const { client, held } = slowClient({ roots: {} });
    // Where the program was started is the folder of last resort: a save there would be of another project.
    const call = tool(provider, name, args, { ...client, folder: { path: '/elsewhere', source: 'start' } });
    await held;
    call.cancel();
    for (let turns = 0; turns < 200; turns++) await turn();
    expect(await store.projects()).toEqual([]);
  });

  test.each([
    ['save_checkpoint', { ...SAVE, project_id: 'p' }],
    ['append_todo', { project_id: 'p', text: 'x' }],
  ])('%s, while it waits for its turn in the store', async (name, args) => {
    const { provider, store } = checkpointSetup();
    const update = store.update.bind(store);
    let reached: () => void = () => undefined;
    let release: () => void = () => undefined;
    const isReached = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    store.update = async (...given) => {
      reached();
      await isReleased;
      return update(...given);
    };
    const call = tool(provider, name, args, {});
    await isReached;
    call.cancel();
    release();
    for (let turns = 0; turns < 200; turns++) await turn();
    expect(await store.projects()).toEqual([]);
  });

  test('delete_project, while its user is asked', async () => {
    const { call, provider, store } = checkpointSetup();
    await call('append_todo', { project_id: 'p', text: 'x' });
    const { client, held } = slowClient({ elicitation: {} });
    const deleting = tool(provider, 'delete_project', { project_id: 'p', confirm: true }, client);
    await held;
    deleting.cancel();
    for (let turns = 0; turns < 200; turns++) await turn();
    expect(await store.projects()).toHaveLength(1);
  });
});

test('an answer that is no valid JSON fails the call that waits for it', async () => {
  const { call, store } = checkpointSetup();
  await call('append_todo', { project_id: 'p', text: 'x' });
  const client = { capabilities: { elicitation: {} }, answer: () => ({}), brokenAnswers: true };
  const outcome = await call('delete_project', { project_id: 'p' }, client);
  expect(outcome).toMatchObject({ code: 'INVALID_REQUEST', message: expect.stringContaining('elicitation/create') });
  expect(await store.projects()).toHaveLength(1);
});
