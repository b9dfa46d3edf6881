import { realpathSync } from 'node:fs';
import { expect } from 'vitest';
import { LiveFeed } from '../../../../src/core/providers/live-feed.ts';
import { processWorkflow } from '../../../../src/workflows/process/manifest.ts';
import { createProcesses } from '../../../../src/workflows/process/workflow.ts';
import { temporaryFolder } from '../../../support/gateway.ts';
import { type TestClient, workflowSetup } from '../workflow-setup.ts';

/** The workflow in a folder of its own, and clients that call it. Its processes end with the test. */
export function processSetup(
  options: object = {},
  handedOver?: unknown,
  changes: (home: string) => Parameters<typeof workflowSetup>[2] = () => ({}),
) {
  const folder = realpathSync(temporaryFolder());
  const live = new LiveFeed();
  const parsed = processWorkflow.options.parse({ graceMs: 300, inputMs: 300, ...options }) as never;
  const setup = workflowSetup('process', (context) => createProcesses({ ...context, options: parsed }), {
    env: process.env,
    home: folder,
    live,
    handedOver,
    ...changes(folder),
    workspace: {
      roots: [{ folder }],
      clientFolders: [],
      unprotected: [],
      undo: { changes: 1, megabytes: 1, fileMegabytes: 1 },
    },
  });
  const call = (name: string, args: object = {}, client: TestClient = {}): Promise<any> =>
    setup.call(`process_${name}`, args, client);
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
    await expect.poll(async () => (await infoOf(id, client))?.status).not.toBe('running');
    return infoOf(id, client);
  };
  return { ...setup, folder, live, call, start, shell, output, infoOf, ended };
}
