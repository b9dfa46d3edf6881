import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { certificateOf } from '../../support/auth/certificates.ts';
import { tokenOf } from '../../support/auth/tokens.ts';
import { RawClient } from '../../support/clients/raw-client.ts';
import {
  connectTcp,
  dialTcp,
  introduction,
  line,
  openTcpServe,
  recordedTcp,
  sendToEnd,
  type TcpServing,
} from '../../support/clients/tcp-clients.ts';
import { freePort } from '../../support/free-port.ts';
import { freshHome, openServe, temporaryFolder, viaduct, writeConfig } from '../../support/gateway.ts';
import { atEnd } from '../../support/shared.ts';

const bearer = (token: string) => ({ 'viaduct/authorization': `Bearer ${token}` });

function change({ config }: Pick<TcpServing, 'config'>, server: object): void {
  writeFileSync(config, JSON.stringify({ ...JSON.parse(readFileSync(config, 'utf8')), server }));
}

describe('a changed config', () => {
  test('that asks for tokens sends away who has none, and lets in who has one', async () => {
    const token = tokenOf('one');
    const serving = await openTcpServe({});
    const client = await connectTcp(serving.tcp);
    await client.initialize();
    change(serving, { tcp: '127.0.0.1:0', tokens: [token.entry] });
    await once(client.socket, 'end');
    const answer = JSON.parse(await sendToEnd(serving.tcp, line('initialize', introduction())));
    expect(answer.error.message).toContain('a bearer token is needed');
    const known = await connectTcp(serving.tcp);
    expect((await known.request('initialize', introduction(bearer(token.token)))).value.result).toBeDefined();
    change(serving, { tcp: '127.0.0.1:0', tokens: [] });
    await once(known.socket, 'end');
  });

  test('moves the port, closes the old one, opens and closes the way in', async () => {
    const serving = await openTcpServe({});
    const client = await connectTcp(serving.tcp);
    await client.initialize();
    const port = await freePort();
    change(serving, { tcp: `:${port}` });
    await once(client.socket, 'end');
    await expect.poll(() => recordedTcp(serving.env)).toBe(`tcp://127.0.0.1:${port}`);
    await expect(dialTcp(serving.tcp)).rejects.toThrow('ECONNREFUSED');
    const moved = await connectTcp(recordedTcp(serving.env)!);
    await moved.initialize();
    const file = path.join(temporaryFolder(), 'mcp.sock');
    change(serving, { tcp: file });
    await expect.poll(() => recordedTcp(serving.env)).toBe(`unix://${file}`);
    await (await connectTcp(`unix://${file}`)).initialize();
    change(serving, {});
    await expect.poll(() => recordedTcp(serving.env)).toBe(undefined);
    expect(existsSync(file)).toBe(false);
  });

  test('that names an address that is taken changes nothing', async () => {
    const serving = await openTcpServe({});
    const taken = createServer().listen(0, '127.0.0.1');
    atEnd(() => void taken.close());
    await once(taken, 'listening');
    const client = await connectTcp(serving.tcp);
    await client.initialize();
    change(serving, { tcp: `127.0.0.1:${(taken.address() as { port: number }).port}` });
    const status = async () => (await viaduct(['status', '--config', serving.config], serving.env)).stdout;
    await expect.poll(status, { timeout: 30_000 }).toContain('another program listens there');
    expect((await client.request('ping')).value.result).toEqual({});
    expect(recordedTcp(serving.env)).toBe(serving.tcp);
  });
});

describe('beyond this machine', () => {
  test.each([
    [{ tcp: '0.0.0.0:0' }, 'server.tokens or server.oauth is needed'],
    [{ tcp: '0.0.0.0:0', tokens: [] }, 'server.tls is needed'],
    [{ tcp: '0.0.0.0:0', tokens: [], behindProxy: true }, 'server.tls is needed'],
  ])('%j is refused', async (server, message) => {
    const { code, stderr } = await viaduct(['serve', '--port', '0', '--config', writeConfig({ server })]);
    expect({ code, stderr }).toEqual({ code: 78, stderr: expect.stringContaining(message) });
  });

  test.each([
    ['0.0.0.0:0', 78, 'MCP_ADDR'],
    ['nonsense', 1, 'MCP_ADDR is not an address'],
  ])('so is MCP_ADDR=%s', async (address, code, message) => {
    const result = await viaduct(
      ['serve', '--port', '0', '--config', writeConfig({})],
      freshHome({ MCP_ADDR: address }),
    );
    expect(result).toMatchObject({ code, stderr: expect.stringContaining(message) });
  });

  test('with tokens and a certificate it speaks TLS, and nothing else', async () => {
    const folder = temporaryFolder();
    const token = tokenOf('far');
    const { cert, key } = certificateOf('gateway', { hosts: ['127.0.0.1', 'localhost'] });
    writeFileSync(path.join(folder, 'cert.pem'), cert);
    writeFileSync(path.join(folder, 'key.pem'), key, { mode: 0o600 });
    const tls = { cert: path.join(folder, 'cert.pem'), key: path.join(folder, 'key.pem') };
    const { tcp } = await openTcpServe({ server: { tcp: '127.0.0.1:0', tokens: [token.entry], tls } });
    expect(tcp).toMatch(/^tls:/);
    expect(await sendToEnd(tcp, line('initialize', introduction(bearer(token.token))))).not.toContain('viaduct');
    const socket: TLSSocket = connectTls({ host: '127.0.0.1', port: Number(new URL(tcp).port), ca: cert });
    atEnd(() => void socket.destroy());
    await once(socket, 'secureConnect');
    const client = new RawClient(socket, socket);
    const answer = await client.request('initialize', introduction(bearer(token.token)));
    expect(answer.value.result.serverInfo.name).toBe('viaduct');
  });
});

test('a file that is no socket, and a socket on which somebody listens, are left alone', async () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'mcp.sock');
  writeFileSync(file, 'mine');
  const serve = () => openServe(writeConfig({ server: { tcp: file } }), freshHome());
  await expect(serve()).rejects.toThrow('already exists and is not a socket');
  expect(readFileSync(file, 'utf8')).toBe('mine');
  const other = path.join(folder, 'other.sock');
  await openServe(writeConfig({ server: { tcp: other } }), freshHome());
  await expect(openServe(writeConfig({ server: { tcp: other } }), freshHome())).rejects.toThrow(
    'another program listens',
  );
  await (await connectTcp(`unix://${other}`)).initialize();
});
