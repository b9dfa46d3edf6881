import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ClientErrors } from '../../../../../src/downstream/http/guards/client-errors.ts';
import { openServer } from '../../../../../src/downstream/http/server/open-server.ts';
import { createLog } from '../../../../../src/telemetry/log.ts';
import { RefusalLog } from '../../../../../src/telemetry/refusal-log.ts';

let server: Server;

beforeEach(async () => {
  const errors = new ClientErrors(new RefusalLog(createLog({ level: 'silent' })));
  server = await openServer(undefined);
  server.on('clientError', (error, socket) => errors.onError(error, socket as never));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => void server.close());

/** What a client hears whose connection fails with this code, as Node reports it. */
async function answerTo(code: string): Promise<{ readonly head: string; readonly body: string }> {
  server.once('connection', (socket) =>
    server.emit('clientError', Object.assign(new Error('as Node reports it'), { code }), socket),
  );
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => (text += String(chunk)));
  await once(socket, 'end');
  socket.end();
  const [head, body] = text.split('\r\n\r\n') as [string, string];
  return { head, body };
}

test.each([
  [
    'ERR_HTTP_REQUEST_TIMEOUT',
    408,
    /headers of a request must arrive within 10 s.* 30 s.*was not served, send it again/,
  ],
  ['HPE_HEADER_OVERFLOW', 431, /16384 bytes/],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413, /chunk extensions/],
  ['HPE_INVALID_METHOD', 400, /not readable as HTTP \(HPE_INVALID_METHOD\)/],
])('%s is answered with a JSON-RPC error that says why', async (code, status, message) => {
  const { head, body } = await answerTo(code);
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(head).toContain('Connection: close');
  expect(head).toContain(`Content-Length: ${Buffer.byteLength(body)}`);
  expect(JSON.parse(body)).toEqual({
    jsonrpc: '2.0',
    id: null,
    error: { code: -32600, message: expect.stringMatching(message) },
  });
});
