import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { LiveFeed } from '../../../../src/core/providers/live-feed.ts';
import { createLog } from '../../../../src/telemetry/log.ts';
import type { Workflow } from '../../../../src/workflows/define.ts';
import { liveWorkflow } from '../../../../src/workflows/live/manifest.ts';
import { createLive } from '../../../../src/workflows/live/workflow.ts';
import { Client, TOKEN } from './live-setup.ts';

interface Running {
  readonly workflow: Workflow;
  readonly lines: any[];
  readonly call: (tool: 'ws_start' | 'ws_info', args?: object) => Promise<any>;
}

function run(options: object = {}, handedOver?: unknown): Running {
  const lines: any[] = [];
  const log = createLog({ level: 'info', destination: { write: (line) => lines.push(JSON.parse(line)) } });
  const parsed = liveWorkflow.options.parse(options);
  const workflow = createLive({ options: parsed, live: new LiveFeed(), log, handedOver } as never);
  workflow.start();
  onTestFinished(() => workflow.stop());
  const call = async (name: string, args: object = {}) => {
    const tool = workflow.tools().find((one) => one.name === name)!;
    return tool.output.parse(await tool.run(tool.input.parse(args), {} as never));
  };
  return { workflow, lines, call };
}

const urlIn = ({ message }: { message: string }): string => /ws:\S+/.exec(message)![0];

/** A port that somebody else has. */
async function takenPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

describe('ws_start', () => {
  test('listens, says where, and clients can come', async () => {
    const { call } = run();
    const started = await call('ws_start', { addr: '127.0.0.1:0' });
    expect(started).toEqual({
      success: true,
      addr: expect.stringMatching(/^127\.0\.0\.1:[1-9]\d+$/),
      message: `Open at ws://${started.addr}/ws`,
    });
    const client = await Client.open(urlIn(started));
    await client.subscribe('a', 'b');
    expect(await call('ws_info')).toEqual({ clients: 1, channels: 2 });
  });

  test('that is called again gives the address that there is, and says so where another was asked for', async () => {
    const { call } = run();
    const [{ addr }, both] = await Promise.all([call('ws_start', { addr: ':0' }), call('ws_start', { addr: ':0' })]);
    const already = { success: true, addr, message: `Open already at ws://${addr}/ws` };
    expect(both).toEqual(already);
    for (const same of [{}, { addr: '' }, { addr }, { addr: `localhost:${addr.split(':')[1]}` }]) {
      expect(await call('ws_start', same)).toEqual(already);
    }
    const other = await call('ws_start', { addr: '127.0.0.1:1' });
    expect(other).toMatchObject({ success: true, addr });
    expect(other.message).toContain('it does not listen at 127.0.0.1:1');
    expect(urlIn(other)).toBe(`ws://${addr}/ws`);
  });

  test('without a host is for this machine, and says so', async () => {
    const { call } = run();
    const { addr, message } = await call('ws_start', { addr: ':0' });
    expect(addr).toMatch(/^127\.0\.0\.1:/);
    expect(message).toContain('only programs of this machine reach it');
  });

  test('takes the address of the config where none is named', async () => {
    const port = await takenPort();
    const { call } = run({ addr: `127.0.0.1:${port}` });
    await expect(call('ws_start')).rejects.toMatchObject({
      code: 'INVALID_ARGUMENTS',
      message: `ws_start: another program listens at 127.0.0.1:${port}: name another port, or 0 for any that is free`,
    });
    expect(await call('ws_info')).toEqual({ clients: 0, channels: 0 });
    expect(await call('ws_start', { addr: ':0' })).toMatchObject({ success: true });
  });

  test.each([
    ['8080', 'addr must be host:port'],
    ['0.0.0.0:0', '0.0.0.0:0 can be reached from other machines'],
    ['[::]:0', '[::]:0 can be reached from other machines'],
    ['example.com:80', 'example.com:80 can be reached from other machines'],
  ])('refuses %s', async (addr, reason) => {
    const { call } = run();
    await expect(call('ws_start', { addr })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENTS',
      message: expect.stringContaining(reason),
    });
  });

  test('says of an address that this machine does not have that it has none such', async () => {
    const { call } = run({ token: TOKEN });
    await expect(call('ws_start', { addr: '192.0.2.1:0' })).rejects.toMatchObject({
      message: expect.stringContaining('192.0.2.1:0 is no address of this machine'),
    });
  });

  test('goes beyond loopback with a token, which it does not show', async () => {
    const { call } = run({ token: TOKEN });
    const started = await call('ws_start', { addr: '0.0.0.0:0' });
    expect(started.addr).toMatch(/^0\.0\.0\.0:/);
    expect(started.message).toContain('clients must show the token');
    expect(JSON.stringify(started)).not.toContain(TOKEN);
    const url = urlIn(started).replace('0.0.0.0', '127.0.0.1');
    await expect(Client.open(url)).rejects.toThrow('401');
    await Client.open(url, { headers: { authorization: `Bearer ${TOKEN}` } });
  });
});

describe('the workflow', () => {
  test('listens by itself only where the config says so', async () => {
    const { call, lines } = run({ addr: '127.0.0.1:0', start: true });
    await expect.poll(() => lines.map(({ url }) => url)).toEqual([expect.stringMatching(/^ws:/)]);
    expect((await call('ws_start')).message).toContain('Open already');
    const quiet = run({ addr: '127.0.0.1:0' });
    expect((await quiet.call('ws_start')).message).toContain('Open at');
  });

  test('that cannot listen at the start says so in the log, and can be asked later', async () => {
    const { call, lines } = run({ addr: `127.0.0.1:${await takenPort()}`, start: true });
    await expect.poll(() => lines.map(({ msg }) => msg)).toEqual(['live output cannot be followed']);
    expect(await call('ws_start', { addr: ':0' })).toMatchObject({ success: true });
  });

  test('that was asked to listen goes on at the same port with other options', async () => {
    const before = run({ allowedOrigins: [] });
    const started = await before.call('ws_start', { addr: '127.0.0.1:0' });
    const again = await before.call('ws_start', {});
    expect(again.addr).toBe(started.addr);
    const client = await Client.open(urlIn(started));
    const after = run({ slowMs: 5_000 }, before.workflow.handOver?.());
    // Also for one that asks at once.
    const asked = after.call('ws_start', { addr: ':0' });
    await before.workflow.stop();
    expect(await client.closed).toMatchObject({ code: 1001 });
    expect(urlIn(await asked)).toBe(urlIn(started));
    expect(after.lines.map(({ url }) => url)).toEqual([urlIn(started)]);
  });

  test('that was asked to listen goes on also where the options change again before it does', async () => {
    const first = run();
    const started = await first.call('ws_start', { addr: '127.0.0.1:0' });
    const second = run({ slowMs: 5_000 }, first.workflow.handOver?.());
    const third = run({ slowMs: 6_000 }, second.workflow.handOver?.());
    await Promise.all([first.workflow.stop(), second.workflow.stop()]);
    expect(await third.call('ws_start')).toMatchObject({ addr: started.addr });
  });

  test('that listened because the config said so ends with that, unless a client has asked for it meanwhile', async () => {
    const options = { addr: '127.0.0.1:0', start: true };
    for (const isAsked of [false, true]) {
      const before = run(options);
      await expect.poll(() => before.lines).toHaveLength(1);
      if (isAsked) await before.call('ws_start');
      const after = run({ ...options, start: false }, before.workflow.handOver?.());
      await before.workflow.stop();
      expect((await after.call('ws_start')).message).toContain(isAsked ? 'Open already' : 'Open at');
    }
  });

  test('listens where the config says from now on, also where a client had asked for another address', async () => {
    const before = run();
    const { addr } = await before.call('ws_start', { addr: '127.0.0.1:0' });
    const after = run({ addr: '127.0.0.1:0', start: true, slowMs: 5_000 }, before.workflow.handOver?.());
    await before.workflow.stop();
    expect((await after.call('ws_start')).addr).not.toBe(addr);
  });

  test('goes back to the address that a client had asked for where that of the config is taken', async () => {
    const before = run();
    const { addr } = await before.call('ws_start', { addr: '127.0.0.1:0' });
    const taken = `127.0.0.1:${await takenPort()}`;
    const after = run({ addr: taken, start: true }, before.workflow.handOver?.());
    await before.workflow.stop();
    expect(await after.call('ws_start')).toMatchObject({ addr });
    expect(after.lines.map(({ msg }) => msg)).toEqual([
      'live output cannot be followed',
      'live output can be followed',
    ]);
  });

  test('that nobody has asked to listen does not begin to with other options', async () => {
    const before = run();
    const after = run({ slowMs: 5_000 }, before.workflow.handOver?.());
    await before.workflow.stop();
    expect((await after.call('ws_start', { addr: ':0' })).message).toContain('Open at');
  });

  test('does not listen once it has ended, also where it was about to begin', async () => {
    const { workflow, call } = run();
    const [starting] = await Promise.allSettled([call('ws_start', { addr: ':0' }), workflow.stop()]);
    if (starting.status === 'fulfilled') {
      await expect(Client.open(`ws://${starting.value.addr}/ws`)).rejects.toThrow('ECONNREFUSED');
    }
    await expect(call('ws_start')).rejects.toMatchObject({ code: 'CALL_CANCELLED' });
  });
});

describe('options', () => {
  test.each([
    [{ addr: '8080' }, 'must be host:port'],
    [{ addr: '0.0.0.0:80' }, 'beyond loopback clients must show a token'],
    [{ token: 'short' }, 'must have 16 to 512 characters'],
    [{ token: 'with a space in it' }, 'must have 16 to 512 characters'],
    [{ slowMs: 5 }, 'expected number to be >=100'],
    [{ port: 5 }, 'Unrecognized key'],
  ])('%j is refused', (options, reason) => {
    const { error } = liveWorkflow.options.safeParse(options);
    expect(error?.issues.map(({ message }) => message).join()).toContain(reason);
  });
});
