/** The fixture of the conformance suites over stdio; over HTTP the suites themselves try it. */
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type RawClient, spawnClient } from '../../support/clients/raw-client.ts';
import { fixture } from '../../support/gateway.ts';
import { endChild } from '../../support/processes.ts';

const TASKS = 'io.modelcontextprotocol/tasks';
const ASKING_TOOL = 'test_input_required_result_elicitation';
const ANSWER = { action: 'accept', content: { name: 'Alice' } };

function start(era: string): RawClient {
  const { command, args } = fixture('conformance', `--era=${era}`);
  const { client, child } = spawnClient(command, args);
  onTestFinished(() => endChild(child));
  return client;
}

/** Parameters with the envelope of the modern era. */
function modern(params: object = {}, capabilities: object = { elicitation: {} }): object {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  return { ...params, _meta: meta };
}

async function resultOf(client: RawClient, method: string, params: object): Promise<any> {
  return (await client.request(method, params)).value.result;
}

describe('in the legacy era', () => {
  test('it asks while the call is open', async () => {
    const client = start('legacy');
    client.answers.set('elicitation/create', () => ANSWER);
    await client.initialize({ elicitation: {} });
    expect(await client.callText(ASKING_TOOL)).toBe('Hello, Alice!');
  });

  test('it does not know server/discover', async () => {
    const { value } = await start('legacy').request('server/discover', modern());
    expect(value.error.code).toBe(-32601);
  });
});

describe('in the modern era', () => {
  let client: RawClient;
  beforeEach(() => {
    client = start('modern');
  });

  test('what it asks is the result of the call', async () => {
    const first = await resultOf(client, 'tools/call', modern({ name: ASKING_TOOL }));
    expect(first).toMatchObject({ resultType: 'input_required', inputRequests: { user_name: {} } });
    const retry = modern({ name: ASKING_TOOL, inputResponses: { user_name: ANSWER } });
    expect(await resultOf(client, 'tools/call', retry)).toMatchObject({ content: [{ text: 'Hello, Alice!' }] });
  });

  test('initialize is refused with the version that it speaks', async () => {
    const { value } = await client.request('initialize', { protocolVersion: '2025-11-25', capabilities: {} });
    expect(value.error).toMatchObject({ code: -32022, data: { supported: ['2026-07-28'] } });
  });

  test('listeners are told of lists and tasks that they named, until they cancel', async () => {
    const capabilities = { extensions: { [TASKS]: {} } };
    const call = modern({ name: 'slow_compute', arguments: { seconds: 1 } }, capabilities);
    const { taskId } = await resultOf(client, 'tools/call', call);
    const notifications = { toolsListChanged: true, taskIds: [taskId] };
    const listening = client.request('subscriptions/listen', modern({ notifications }), '77');
    listening.catch(() => undefined);
    await client.waitFor(({ value }) => value.method === 'notifications/subscriptions/acknowledged');
    await resultOf(client, 'tools/call', modern({ name: 'test_trigger_tool_change' }));
    const stamp = { _meta: { 'io.modelcontextprotocol/subscriptionId': 77 } };
    expect(client.notifications('notifications/tools/list_changed')).toMatchObject([{ value: { params: stamp } }]);
    const told = await client.waitFor(({ value }) => value.method === 'notifications/tasks');
    expect(told.value.params).toMatchObject({ ...stamp, taskId, status: 'completed' });
    client.notify('notifications/cancelled', { requestId: 77 });
    await resultOf(client, 'tools/call', modern({ name: 'test_trigger_tool_change' }));
    expect(client.notifications('notifications/tools/list_changed')).toHaveLength(1);
  });
});

test('one process can serve both eras', async () => {
  const client = start('both');
  client.answers.set('elicitation/create', () => ANSWER);
  expect(await resultOf(client, 'server/discover', modern())).toMatchObject({ supportedVersions: ['2026-07-28'] });
  await client.initialize({ elicitation: {} });
  expect(await client.callText(ASKING_TOOL)).toBe('Hello, Alice!');
  const first = await resultOf(client, 'tools/call', modern({ name: ASKING_TOOL }));
  expect(first.resultType).toBe('input_required');
});
