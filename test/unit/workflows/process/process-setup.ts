import { realpathSync } from 'node:fs';
import { expect, onTestFinished } from 'vitest';
import { LiveFeed } from '../../../../src/core/live-feed.ts';
import type { ClientSession } from '../../../../src/core/provider.ts';
import { LoginPath } from '../../../../src/process/login-path.ts';
import { Reaper } from '../../../../src/process/reaper.ts';
import { createLog } from '../../../../src/telemetry/log.ts';
import { processWorkflow } from '../../../../src/workflows/process/manifest.ts';
import { createProcesses } from '../../../../src/workflows/process/workflow.ts';
import { WorkflowProvider } from '../../../../src/workflows/workflow-provider.ts';
import { temporaryFolder } from '../../../support/gateway.ts';
import { send, type TestClient } from '../checkpoint/checkpoint-setup.ts';

/** Waits for what depends on processes, however slow the machine is. */
export const soon: typeof expect.poll = (read, options) => expect.poll(read, { timeout: 20_000, ...options });

/** The workflow in a folder of its own, and clients that call it. Its processes end with the test. */
export function processSetup(options: object = {}) {
  const folder = realpathSync(temporaryFolder());
  const live = new LiveFeed();
  const updates: { session: string; uri: string }[] = [];
  let offers = 0;
  const workflow = createProcesses({
    options: processWorkflow.options.parse({ graceMs: 300, inputMs: 300, ...options }) as never,
    env: process.env,
    home: folder,
    log: createLog({ level: 'silent' }),
    gateway: {} as never,
    reaper: new Reaper(),
    loginPath: new LoginPath({}),
    live,
    workspace: { roots: [{ folder }], undo: { changes: 1, megabytes: 1, fileMegabytes: 1 } },
    addUpstream: () => ({}) as never,
    openDatabase: () => ({}) as never,
    onOffer: () => void offers++,
    onResourceChanged: (uri) => provider.onResourceChanged(uri),
  });
  const session = (sessionId: string) =>
    ({
      sessionId,
      onResourceUpdated: (_provider: unknown, uri: string) => void updates.push({ session: sessionId, uri }),
    }) as unknown as ClientSession;
  const provider = new WorkflowProvider({
    name: 'process',
    workflow,
    log: createLog({ level: 'silent' }),
    directory: { get: session, sole: () => undefined },
  });
  onTestFinished(() => workflow.stop());

  const request = (method: string, params: object, client: TestClient = {}) =>
    send(provider, method, params, client).answered;
  const call = async (name: string, args: object = {}, client: TestClient = {}): Promise<any> => {
    const { result, error } = await request('tools/call', { name: `process_${name}`, arguments: args }, client);
    return result?.structuredContent ?? error;
  };
  /** Starts a program and gives its id. */
  const start = async (command: string, args: readonly string[] = [], client: TestClient = {}): Promise<string> => {
    const started = await call('start', { command, args }, client);
    expect(started).toMatchObject({ id: expect.stringMatching(/^proc-\d+$/) });
    return started.id;
  };
  const shell = (script: string, client: TestClient = {}) => start('/bin/sh', ['-c', script], client);
  const output = async (id: string, client: TestClient = {}): Promise<string> =>
    (await call('output', { id }, client)).output;
  const infoOf = async (id: string, client: TestClient = {}) =>
    (await call('list', {}, client)).processes.find((info: { id: string }) => info.id === id);
  /** Waits for the end of a process and gives what process_list says of it. */
  const ended = async (id: string, client: TestClient = {}) => {
    await soon(async () => (await infoOf(id, client))?.status).not.toBe('running');
    return infoOf(id, client);
  };
  return {
    folder,
    live,
    workflow,
    provider,
    updates,
    request,
    call,
    start,
    shell,
    output,
    infoOf,
    ended,
    offers: () => offers,
  };
}
