import net, { type AddressInfo, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { connectStdio, upstreams } from '../../support/gateway.ts';
import { onLines } from '../../support/lines.ts';

interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params: any;
}

/** A server on a port, which answers each message as the test wants; it ends with the test. */
async function listen(onMessage: (message: Message, socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    onLines(socket, (line) => onMessage(JSON.parse(line), socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const RESULTS: Record<string, object> = {
  initialize: { protocolVersion: '2024-11-05', capabilities: { tools: {} }, serverInfo: { name: 'old', version: '1' } },
  'tools/list': { tools: [{ name: 'fails', inputSchema: { type: 'object', additionalProperties: true } }] },
};

test('a server that spells every id as a string, and says in errors that its tools have failed', async () => {
  const url = await listen(({ id, method, params }, socket) => {
    if (id === undefined) return;
    const say = (message: object) => socket.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const result = RESULTS[method];
    if (result !== undefined) say({ id: String(id), result });
    else if (method === 'tools/call') {
      const progressToken = String(params._meta.progressToken);
      say({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
      // Of another call, and of none: neither may end this one.
      say({ id: `${id}0`, result: {} });
      say({ id: `a${id}`, result: {} });
      say({ id: String(id), error: { code: -32000, message: 'tool not found' } });
    } else say({ id: String(id), error: { code: -32601, message: 'method not found' } });
  });
  const client = await connectStdio(upstreams({ go: { url } }));
  expect(await client.toolNames()).toContain('go_fails');
  const answer = await client.request(
    'tools/call',
    '{"name":"go_fails","arguments":{},"_meta":{"progressToken":"mine"}}',
  );
  expect(answer.value.error).toEqual({ code: -32000, message: 'tool not found' });
  expect(client.notifications('notifications/progress').map(({ value }) => value.params)).toEqual([
    { progressToken: 'mine', progress: 1 },
  ]);
});

test('an old server that hangs up when it is asked for its era is opened without being asked', async () => {
  const methods: string[] = [];
  const url = await listen(({ id, method }, socket) => {
    methods.push(method);
    if (method === 'server/discover') socket.destroy();
    else if (id !== undefined) socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: RESULTS[method] })}\n`);
  });
  const client = await connectStdio(upstreams({ old: { url } }));
  expect(await client.toolNames()).toContain('old_fails');
  expect(methods).toEqual(['server/discover', 'initialize', 'notifications/initialized', 'tools/list']);
});
