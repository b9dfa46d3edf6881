import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { atEnd } from '../shared.ts';

export interface ForwardProxyOptions {
  /** `user:password` that it asks for. */
  readonly credentials?: string;
  /** The target for every requested host: the names in tests do not exist. */
  readonly target: number;
}

export interface ForwardProxy {
  readonly port: number;
  /** The first line of each request, as in `CONNECT example.test:443`. */
  readonly seen: readonly string[];
}

/** A forward proxy (RFC 9110, "Message Forwarding", "CONNECT"); ends with the test. */
export async function startForwardProxy({ credentials, target }: ForwardProxyOptions): Promise<ForwardProxy> {
  const seen: string[] = [];
  const sockets = new Set<Duplex>();
  const expected = credentials === undefined ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`;
  const isRefused = ({ headers }: IncomingMessage) =>
    expected !== undefined && headers['proxy-authorization'] !== expected;
  const server = createServer((from: IncomingMessage, to: ServerResponse) => {
    seen.push(`${from.method} ${from.url}`);
    if (isRefused(from)) {
      to.writeHead(407, { 'proxy-authenticate': 'Basic' }).end();
      return;
    }
    const { 'proxy-authorization': _own, 'proxy-connection': _hop, ...headers } = from.headers;
    const { pathname } = new URL(from.url!);
    const onward = request({ port: target, path: pathname, method: from.method!, headers }, (answer) => {
      to.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(to);
    });
    from.pipe(onward.on('error', () => to.destroy()));
  });
  server.on('connect', (from: IncomingMessage, client: Duplex) => {
    seen.push(`CONNECT ${from.url}`);
    if (isRefused(from)) {
      const body = '{"jsonrpc":"2.0","id":1,"result":{"from":"the proxy"}}';
      client.end(`HTTP/1.1 407 No\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
      return;
    }
    const onward: Socket = connect(target, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(client).pipe(onward);
    });
    for (const socket of [onward, client]) socket.on('error', () => undefined);
    sockets.add(onward).add(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    server.close();
    server.closeAllConnections();
    for (const socket of sockets) socket.destroy();
  });
  return { port: (server.address() as AddressInfo).port, seen };
}
