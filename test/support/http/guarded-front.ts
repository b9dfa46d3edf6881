import { createServer, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { AuthorizationServer } from '../auth/authorization-server.ts';
import { atEnd } from '../shared.ts';

/** The door in front of a server. */
export interface GuardedFront {
  readonly port: number;
  readonly refusals: () => number;
  /** Rejects all access tokens that were seen before from now on, and disconnects all clients. */
  expireAll(): void;
}

/**
 * Admits clients with a token of the authorization server to the server at a port of this machine, and relays
 * everything else.
 */
export async function startGuardedFront(target: number, authorization: AuthorizationServer): Promise<GuardedFront> {
  const seen = new Set<string>();
  const expired = new Set<string>();
  const sockets = new Set<Socket>();
  let refusals = 0;
  const originOf = ({ headers }: IncomingMessage) => `http://${headers.host}`;
  const metadataOf = (from: IncomingMessage) =>
    `${originOf(from)}/.well-known/oauth-protected-resource${new URL(from.url!, originOf(from)).pathname}`;
  const mayEnter = async ({ headers }: IncomingMessage): Promise<boolean> => {
    const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
    const isGood = token !== undefined && !expired.has(token) && (await authorization.provider.AccessToken.find(token));
    if (isGood) seen.add(token);
    else refusals++;
    return Boolean(isGood);
  };
  const server = createServer(async (from, to) => {
    if (from.url?.startsWith('/.well-known/oauth-protected-resource/')) {
      const resource = originOf(from) + from.url.slice('/.well-known/oauth-protected-resource'.length);
      to.end(JSON.stringify({ resource, authorization_servers: [authorization.issuer], scopes_supported: ['read'] }));
    } else if (await mayEnter(from)) {
      const { method, url, headers } = from;
      const onward = request({ host: '127.0.0.1', port: target, path: url, method, headers }, (answer) => {
        to.writeHead(answer.statusCode!, answer.headers).flushHeaders();
        answer.on('error', () => to.destroy()).pipe(to);
      });
      to.on('close', () => onward.destroy());
      from.pipe(onward.on('error', () => to.destroy()));
    } else to.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${metadataOf(from)}"` }).end();
  });
  server.on('connection', (socket) => {
    sockets.add(socket.once('close', () => sockets.delete(socket)));
  });
  server.on('upgrade', async (from: IncomingMessage, socket: Socket, head: Buffer) => {
    if (!(await mayEnter(from))) {
      const challenge = `Bearer resource_metadata="${metadataOf(from)}"`;
      socket.end(`HTTP/1.1 401 No\r\nwww-authenticate: ${challenge}\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const onward = connect(target, '127.0.0.1', () => {
      const lines = Object.entries(from.headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
      onward.write(`GET ${from.url} HTTP/1.1\r\n${lines.join('')}\r\n`);
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
    socket.on('close', () => onward.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  atEnd(() => {
    server.close();
    endAll();
  });
  return {
    port: (server.address() as AddressInfo).port,
    refusals: () => refusals,
    expireAll() {
      for (const token of seen) expired.add(token);
      endAll();
    },
  };
}
