import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { connectClient, type EraClient } from '../../support/clients/era-clients.ts';
import type { RawClient } from '../../support/clients/raw-client.ts';
import { freshHome, openServe, openStdio, temporaryFolder, writeConfig } from '../../support/gateway.ts';
import { atEnd } from '../../support/shared.ts';

const SAVE = {
  source_ide: 'cursor',
  bundle_patch: { todos: [{ id: 't1', text: 'cancelled', status: 'open' }] },
  force: true,
};
const KEPT = { text: 'kept' };

/** A project that clients may name as their root, and a config with the workflow that saves the state of projects. */
function newPlace() {
  const folder = path.join(realpathSync(temporaryFolder()), 'acme-billing');
  mkdirSync(folder);
  writeFileSync(path.join(folder, '.ide-bridge.yaml'), 'project_id: acme-billing\n');
  const config = writeConfig({ enabledWorkflows: ['checkpoint'], workspace: { clientFolders: [folder] } });
  return { folder, config };
}

function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

type Call = (tool: string, args?: object) => Promise<any>;

/** Only the call that was not cancelled has written, and into the project of the client's root. */
async function expectOnlyKept(call: Call): Promise<void> {
  expect((await call('list_projects')).projects.map((project: any) => project.project_id)).toEqual(['acme-billing']);
  const { bundle } = await call('load_checkpoint', { project_id: 'acme-billing' });
  expect(bundle.todos.map(({ text }: any) => text)).toEqual(['kept']);
}

describe('a call that is cancelled while its client is asked for its roots does nothing and fails no other', () => {
  test('legacy, stdio', async () => {
    const { folder, config } = newPlace();
    const client: RawClient = await openStdio(config);
    await client.initialize({ roots: {} });
    const { open, opened } = gate();
    client.answers.set('roots/list', () => opened.then(() => ({ roots: [{ uri: `file://${folder}` }] })));
    void client.request('tools/call', { name: 'save_checkpoint', arguments: SAVE }, '"first"').catch(() => undefined);
    await client.waitFor(({ value }) => value.method === 'roots/list');
    const kept = client.call('append_todo', KEPT);
    client.notify('notifications/cancelled', { requestId: 'first' });
    await client.request('ping');
    open();
    expect((await kept).structuredContent).toMatchObject({ ok: true });
    await expectOnlyKept(async (tool, args) => (await client.call(tool, args)).structuredContent);
    expect(client.messages.filter(({ value }) => value.method === 'roots/list')).toHaveLength(1);
  });

  test.each(['v1', 'v2 legacy', 'v2 pinned'] as const)('%s, HTTP', async (kind) => {
    const { folder, config } = newPlace();
    const { url } = await openServe(config, freshHome());
    const { open, opened } = gate();
    const roots = [{ uri: `file://${folder}` }];
    const client: EraClient = await connectClient(kind, 'agent', { url }, { roots, until: opened });
    atEnd(() => client.close());
    const abort = new AbortController();
    const cancelled = client.call('save_checkpoint', SAVE, { signal: abort.signal }).catch((error: unknown) => error);
    await expect.poll(() => client.asked.length).toBe(1);
    const kept = client.call('append_todo', KEPT);
    abort.abort();
    // This SDK notices the abort once its handler has answered.
    if (client.isModern) open();
    expect(await cancelled).toBeInstanceOf(Error);
    open();
    expect((await kept).structuredContent).toMatchObject({ ok: true });
    await expectOnlyKept(async (tool, args) => (await client.call(tool, { ...args })).structuredContent);
  });
});
