import { expect, onTestFinished, test } from 'vitest';
import { FULL_PERMISSIONS, scopeOf } from '../../../../src/core/access/permissions.ts';
import type { ClientSession, Provider } from '../../../../src/core/providers/provider.ts';
import { NO_TRAITS, type UpstreamTraits, type WindowsEntry } from '../../../../src/core/settings/upstream-entry.ts';
import { UpstreamPerWindow } from '../../../../src/upstream/windows/upstream-per-window.ts';
import { type HttpServer, sendJson, startHttpServer } from '../../../support/http/http-server.ts';
import { callOf, KeepingCaller, resourceCallOf } from '../calls.ts';
import { remoteEntryOf } from '../entries.ts';
import { optionsOf } from '../sharing/memory-pool.ts';
import { MemoryProgram } from '../sharing/memory-server.ts';

/** What is on the port of a plug-in: enough to be found; its messages go to the program in memory. */
const openWindow = (port = 0): Promise<HttpServer> =>
  startHttpServer(
    ({ method }, response) =>
      method === 'POST'
        ? sendJson(response, { jsonrpc: '2.0', id: 0, result: { serverInfo: { name: 'x' } } })
        : sendJson(response, { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'POST' } }),
    port,
  );

function open(port: number, traits: UpstreamTraits = NO_TRAITS) {
  const { url: _url, headers: _headers, ...rules } = remoteEntryOf('http://127.0.0.1/');
  const entry: WindowsEntry = { ...rules, type: 'ide-rest', ports: [port], workspace: undefined };
  const program = new MemoryProgram();
  const lost: Provider[] = [];
  const session = { onSubscriptionsLost: (provider: Provider) => void lost.push(provider) } as ClientSession;
  const directory = { get: (id: string) => (id === 'A' ? session : undefined), sole: () => undefined };
  const options = optionsOf(entry, { program, directory });
  const upstream = new UpstreamPerWindow({ ...options, entry, traits, transport: { ...options.transport, env: {} } });
  onTestFinished(() => upstream.stop('the test ends'));
  return { upstream, program, lost };
}

const CALLER = new KeepingCaller('A');

test('a window that opens later hears the log levels of clients that were there before', async () => {
  const first = await openWindow();
  await first.stop();
  const { upstream, program } = open(first.port);
  upstream.start();
  upstream.setLogLevel('A', 'debug');
  await openWindow(first.port);
  await upstream.sync();
  await expect.poll(() => program.living[0]?.seen).toContain('logging/setLevel');
});

test('a client that subscribed in a window that closes is told, and may subscribe in the next one', async () => {
  const first = await openWindow();
  const { upstream, program, lost } = open(first.port);
  upstream.start();
  await upstream.sync();
  upstream.call(resourceCallOf('resources/subscribe', 'r://a', CALLER));
  await expect.poll(() => [...(program.living[0]?.watched() ?? [])]).toEqual(['r://a']);
  await first.stop();
  await upstream.sync().catch(() => undefined);
  await expect.poll(() => lost).toEqual([upstream]);
  await openWindow(first.port);
  await upstream.sync();
  expect(upstream.listing().tool).toHaveLength(1);
  upstream.call(resourceCallOf('resources/subscribe', 'r://a', CALLER));
  await expect.poll(() => program.living.map((process) => [...process.watched()])).toEqual([['r://a']]);
  upstream.call(callOf('one', '{}', CALLER));
  await expect.poll(() => program.living[0]?.seen).toContain('tools/call');
});

test('windows that a workflow brings along are allowed with the workflow, and not as an upstream', () => {
  const { upstream } = open(1, { ...NO_TRAITS, workflow: 'vscode-ide' });
  const allows = (permissions: object) => scopeOf({ ...FULL_PERMISSIONS, ...permissions }).allowsProvider(upstream);
  expect(allows({ workflows: [] })).toBe(false);
  expect(allows({ upstreams: [] })).toBe(true);
  expect(allows({ upstreams: [], workflows: ['vscode-ide'] })).toBe(true);
});
