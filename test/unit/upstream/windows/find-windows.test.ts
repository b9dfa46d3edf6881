import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../../../src/telemetry/log.ts';
import { findWindows } from '../../../../src/upstream/windows/find-windows.ts';
import { sendJson, startHttpServer } from '../../../support/http/http-server.ts';

const isStranger = () => false;
const CONTEXT = { env: {}, log: createLog({ level: 'silent' }) };

test('ports are told apart: windows of both dialects, closed ones, silent ones, other servers', async () => {
  const rest = await startHttpServer(({ path }, response) => {
    if (path === '/mcp/list_tools') sendJson(response, []);
    else sendJson(response, { jsonrpc: '2.0', id: null, result: { environment: { workspaceRoot: '/none/../x' } } });
  });
  const rpc = await startHttpServer(({ method }, response) =>
    method === 'POST'
      ? sendJson(response, { jsonrpc: '2.0', id: 0, result: { serverInfo: { name: 'x' } } })
      : sendJson(response, { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'POST' } }),
  );
  const refusing = await startHttpServer((_request, response) =>
    sendJson(response, { jsonrpc: '2.0', id: null, error: { code: -32601, message: 'no' } }),
  );
  const other = await startHttpServer((_request, response) => response.writeHead(404).end('no'));
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void silent.close());
  const closed = await startHttpServer(() => undefined);
  await closed.stop();
  const silentPort = (silent.address() as AddressInfo).port;
  const ports = [rest.port, rpc.port, refusing.port, other.port, silentPort, closed.port];
  const found = new Map((await findWindows(ports, isStranger, CONTEXT)).map((finding) => [finding.port, finding]));
  expect(ports.map((port) => found.get(port))).toEqual([
    { port: rest.port, dialect: 'rest', url: `http://127.0.0.1:${rest.port}/mcp`, workspace: '/x' },
    { port: rpc.port, dialect: 'json-rpc', url: `http://127.0.0.1:${rpc.port}/mcp`, workspace: undefined },
    { port: refusing.port, problem: 'nothing' },
    { port: other.port, problem: 'nothing' },
    { port: silentPort, problem: 'silent' },
    { port: closed.port, problem: 'nothing' },
  ]);
});

test('a window without a folder, and a plug-in without that question', async () => {
  const empty = await startHttpServer(({ path }, response) =>
    sendJson(response, path === '/mcp/list_tools' ? [] : { result: { environment: { workspaceRoot: '' } } }),
  );
  const jetbrains = await startHttpServer(({ path }, response) =>
    path === '/api/mcp/list_tools' ? sendJson(response, []) : response.writeHead(404).end(),
  );
  const [first, second] = await findWindows([empty.port, jetbrains.port], isStranger, CONTEXT).then((found) =>
    [empty.port, jetbrains.port].map((port) => found.find((one) => one.port === port)),
  );
  expect(first).toMatchObject({ workspace: '' });
  expect(second).toMatchObject({ url: `http://127.0.0.1:${jetbrains.port}/api/mcp`, workspace: undefined });
});

test('a window whose answer breaks off may be any: it is not one that does not say its folder', async () => {
  const { port } = await startHttpServer(({ path }, response) => {
    if (path === '/mcp/list_tools') sendJson(response, []);
    else response.writeHead(200, { 'content-length': '100' }).write('{', () => response.destroy());
  });
  expect(await findWindows([port], isStranger, CONTEXT)).toEqual([{ port, problem: 'silent' }]);
});

test('a folder that is longer than any path counts as not said', async () => {
  const workspaceRoot = `/${'x'.repeat(500_000)}`;
  const { port } = await startHttpServer(({ path }, response) =>
    sendJson(response, path === '/mcp/list_tools' ? [] : { result: { environment: { workspaceRoot } } }),
  );
  expect(await findWindows([port], isStranger, CONTEXT)).toMatchObject([{ port, workspace: undefined }]);
});
