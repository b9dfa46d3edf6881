import { describe, expect, onTestFinished, test } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import { freshHome, startServe, startStdio, temporaryFolder, writeConfig } from '../../support/gateway.ts';
import { floodLive } from '../../support/live-flood.ts';

/** A gateway with processes and live output, and a client of it; also where its WebSocket is. */
async function start() {
  const folder = temporaryFolder();
  return { folder, ...(await startWith(configWith({}, folder), freshHome())) };
}

function configWith(live: object, folder: string): string {
  return writeConfig(
    { enabledWorkflows: ['process', 'live'], workspace: { root: folder }, workflows: { live } },
    folder,
  );
}

async function startWith(config: string, env: NodeJS.ProcessEnv) {
  const { client, child } = startStdio(config, env);
  await client.initialize();
  const call = async (name: string, args: object = {}) => {
    const result = await client.call(name, args);
    if (result.structuredContent === undefined) throw new Error(JSON.stringify(result));
    return result.structuredContent;
  };
  const { message } = await call('ws_start', { addr: '127.0.0.1:0' });
  return { client, pid: child.pid!, call, url: /ws:\S+/.exec(message)![0] };
}

async function open(url: string, options: ClientOptions = {}): Promise<WebSocket> {
  const socket = new WebSocket(url, { perMessageDeflate: false, ...options });
  onTestFinished(() => socket.terminate());
  await new Promise((resolve, reject) => {
    socket.on('open', resolve);
    socket.on('error', reject);
  });
  return socket;
}

/** Subscribes; resolves when it is in force. */
async function subscribe(socket: WebSocket, id: string): Promise<void> {
  socket.send(JSON.stringify({ type: 'subscribe', data: `process:${id}` }));
  const answered = new Promise((resolve) => socket.once('message', resolve));
  socket.send('{"type":"ping"}');
  await answered;
}

describe('output of a process', () => {
  test('is followed while it is written, both streams, to its end', async () => {
    const { call, url } = await start();
    const script =
      'process.stdin.on("data", (d) => { process.stdout.write("out ü " + d); process.stderr.write("err " + d); })';
    const { id } = await call('process_start', { command: process.execPath, args: ['-e', script] });
    const socket = await open(url);
    await subscribe(socket, id);
    const messages: any[] = [];
    const ended = new Promise<void>((resolve) => {
      socket.on('message', (data: Buffer) => {
        messages.push(JSON.parse(data.toString()));
        if (messages.at(-1).type === 'process_status') resolve();
      });
    });
    await call('process_input', { id, input: 'hello\n' });
    const text = () => messages.map(({ data }) => (typeof data === 'string' ? data : '')).join('');
    await expect.poll(text).toContain('out ü hello\n');
    await expect.poll(text).toContain('err hello\n');
    await call('process_kill', { id });
    await ended;
    for (const message of messages) expect(message).toMatchObject({ channel: `process:${id}`, processId: id });
    expect(messages.at(-1)).toMatchObject({ type: 'process_status', data: { status: 'killed' } });
    expect(await call('ws_info')).toEqual({ clients: 1, channels: 1 });
  });

  test.skipIf(process.platform !== 'linux')(
    'reaches a fast subscriber whole and in order, beside two slow ones, in bounded memory',
    async () => {
      const { isWhole, idle, peak, clients } = await floodLive(30);
      expect(isWhole).toBe(true);
      expect(peak - idle).toBeLessThan(150);
      expect(clients).toBe(1);
    },
    60_000,
  );
});

describe('the hub', () => {
  test('goes on at its port when the options of the workflow change', async () => {
    const folder = temporaryFolder();
    const config = configWith({}, folder);
    const { env } = await startServe(config);
    const { call, url } = await startWith(config, env);
    const socket = await open(url);
    const closed = new Promise((resolve) => socket.on('close', resolve));
    configWith({ allowedOrigins: ['https://dashboard.example'] }, folder);
    expect(await closed).toBe(1001);
    const { message } = await call('ws_start');
    expect(message).toBe(`Open already at ${url}`);
    await open(url, { origin: 'https://dashboard.example' });
  });

  test('ends with the gateway, and tells its clients', async () => {
    const { client, url } = await start();
    const socket = await open(url);
    const closed = new Promise((resolve) => socket.on('close', resolve));
    client.end();
    expect(await closed).toBe(1001);
  });
});
