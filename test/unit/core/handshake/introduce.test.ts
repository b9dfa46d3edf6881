import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { admit, introduceTo } from '../../../../src/core/handshake/introduce.ts';
import { newToken } from '../../../../src/core/handshake/proofs.ts';
import { temporaryFolder } from '../../../support/gateway.ts';

const SECRET = newToken();

/** Both ends of a connection. */
async function pair(): Promise<{ readonly client: Socket; readonly gateway: Socket }> {
  const server: Server = createServer({ allowHalfOpen: true });
  const file = path.join(temporaryFolder(), 's');
  server.listen(file);
  const client = connect({ path: file, allowHalfOpen: true });
  const [gateway] = (await once(server, 'connection')) as [Socket];
  onTestFinished(() => {
    client.destroy();
    gateway.destroy();
    server.close();
  });
  return { client, gateway };
}

describe('the handshake', () => {
  test('lets a client in that knows the secret, and loses none of what it sends next', async () => {
    const { client, gateway } = await pair();
    const admitted = admit(gateway, SECRET);
    expect(await introduceTo(client, SECRET, { sshAuthSock: '/agent' })).toBe(true);
    client.write('first message\n');
    expect(await admitted).toEqual({ sshAuthSock: '/agent' });
    const [chunk] = (await once(gateway, 'data')) as [Buffer];
    expect(chunk.toString()).toBe('first message\n');
  });

  test('refuses a client that does not know the secret', async () => {
    const { client, gateway } = await pair();
    const admitted = admit(gateway, SECRET);
    expect(await introduceTo(client, newToken(), {})).toBe(false);
    client.end('{"proof":"0"}\n');
    expect(await admitted).toBeUndefined();
  });

  test.each([
    ['sends messages at once', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n'],
    ['sends no JSON', 'GET / HTTP/1.1\r\n\r\n'],
    ['sends a line without an end', 'x'.repeat(100_000)],
  ])('refuses a client that %s', async (_name, text) => {
    const { client, gateway } = await pair();
    const admitted = admit(gateway, SECRET);
    client.on('error', () => undefined);
    client.end(text);
    expect(await admitted).toBeUndefined();
  });

  test('does not wait for ever for a client that says nothing', async () => {
    const { gateway } = await pair();
    expect(await admit(gateway, SECRET, 10)).toBeUndefined();
  });

  test('a client sends nothing to somebody who only echoes, or who does not know the secret', async () => {
    for (const answer of [(line: string) => line, () => `{"nonce":"${newToken()}","proof":"${newToken()}"}\n`]) {
      const { client, gateway } = await pair();
      let seen = '';
      gateway.on('data', (chunk: Buffer) => {
        seen += chunk.toString();
        gateway.write(answer(chunk.toString()));
      });
      expect(await introduceTo(client, SECRET, { sshAuthSock: '/agent' })).toBe(false);
      expect(seen).not.toContain('agent');
    }
  });
});
