import { expect, onTestFinished, test } from 'vitest';
import type { WindowsEntry } from '../../../../src/core/settings/upstream-entry.ts';
import { UpstreamPerWindow } from '../../../../src/upstream/windows/upstream-per-window.ts';
import { freePort } from '../../../support/free-port.ts';
import { sendJson, startHttpServer } from '../../../support/http/http-server.ts';
import { remoteEntryOf } from '../entries.ts';
import { optionsOf } from '../sharing/memory-pool.ts';
import { MemoryProgram } from '../sharing/memory-server.ts';

function open(port: number, prefix = 'ide') {
  const { url: _url, headers: _headers, ...rules } = remoteEntryOf('http://127.0.0.1/');
  const entry: WindowsEntry = { ...rules, prefix, type: 'ide-rest', ports: [port], workspace: undefined };
  const program = new MemoryProgram();
  let offers = 0;
  const options = optionsOf(entry, { program });
  const upstream = new UpstreamPerWindow({
    ...options,
    entry,
    onOffer: () => void offers++,
    transport: { ...options.transport, env: {} },
  });
  onTestFinished(() => upstream.stop('the test ends'));
  return { upstream, program, offers: () => offers };
}

test('before the first look nothing is known; after it, it is known that there is nothing', async () => {
  const { upstream, offers } = open(await freePort());
  expect([upstream.isKnown(), upstream.isLive(), upstream.status().state]).toEqual([false, false, 'idle']);
  upstream.start();
  expect([upstream.isKnown(), upstream.status().state]).toEqual([false, 'starting']);
  await expect.poll(() => upstream.status().state).toBe('backoff');
  expect([upstream.isKnown(), upstream.isKnown('tool'), offers()]).toEqual([true, true, 1]);
  expect(upstream.status().reason).toMatch(/^no IDE's plug-in answers on the ports/);
  await upstream.disconnect('by hand');
  expect(upstream.status()).toMatchObject({ state: 'stopped', reason: 'by hand' });
  expect([upstream.isKnown(), offers()]).toEqual([true, 2]);
});

test('a sync that finds no window fails with what was looked for', async () => {
  await expect(open(await freePort()).upstream.sync()).rejects.toThrow("no IDE's plug-in answers on the ports");
});

test('while no window is open, calls of its tools are taken where its prefix tells them apart', async () => {
  const port = await freePort();
  const accepts = (prefix: string, kind: 'tool' | 'prompt') => open(port, prefix).upstream.acceptsUnlisted(kind, 'x');
  expect([accepts('ide', 'tool'), accepts('ide', 'prompt'), accepts('', 'tool')]).toEqual([true, false, false]);
});

test('an open window is what the status and the lists are about', async () => {
  const server = await startHttpServer(({ method }, response) =>
    method === 'POST'
      ? sendJson(response, { jsonrpc: '2.0', id: 0, result: { serverInfo: { name: 'x' } } })
      : sendJson(response, { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'POST' } }),
  );
  const { upstream } = open(server.port);
  upstream.start();
  const report = await upstream.sync();
  expect([report.total, upstream.listing().tool.length, upstream.isLive()]).toEqual([1, 1, true]);
  expect(upstream.status()).toMatchObject({ state: 'ready', windows: [{ workspace: null, state: 'ready' }] });
  expect(upstream.acceptsUnlisted('resource', 'r://x')).toBe(true);
  await server.stop();
  await expect(upstream.sync()).rejects.toThrow('the last window was closed: no IDE');
});
