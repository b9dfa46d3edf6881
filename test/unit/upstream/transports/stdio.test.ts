import { describe, expect, onTestFinished, test } from 'vitest';
import type { StdioEntry } from '../../../../src/core/settings/upstream-entry.ts';
import { createLog } from '../../../../src/telemetry/log.ts';
import { stdio } from '../../../../src/upstream/transports/stdio.ts';
import type { TransportContext } from '../../../../src/upstream/transports/transport.ts';
import { jsonBytes, toBuffer } from '../../../../src/wire/bytes.ts';
import { entryOf } from '../entries.ts';

/** Starts a script as a server; `reaped` are the processes that the reaper need not know any more. */
async function start(script: string, { container = undefined as object | undefined, ...changes }: Options = {}) {
  const frames: string[] = [];
  const closed: string[] = [];
  const stderr: string[] = [];
  const added: number[] = [];
  const reaped: number[] = [];
  const context = {
    log: createLog({ level: 'silent' }),
    env: { PATH: process.env.PATH },
    maxFrameBytes: 100_000,
    loginPath: { ask: async () => undefined },
    reaper: { newMark: () => 'mark', add: (pid: number) => added.push(pid), remove: (pid: number) => reaped.push(pid) },
    containers: { admit: async () => container },
  } as unknown as TransportContext;
  const transport = await stdio.open(
    entryOf({ command: process.execPath, args: ['-e', script], ...changes }),
    {
      onFrame: (frame) => frames.push(toBuffer(frame.bytes()).toString()),
      onLostLine: () => undefined,
      onRequestFailed: () => undefined,
      toolText: () => undefined,
      onStderr: (line) => stderr.push(line),
      isAwaited: () => true,
      onClosed: (reason) => closed.push(reason),
    },
    context,
  );
  onTestFinished(() => transport.close());
  const send = (message: object) => transport.send(jsonBytes({ jsonrpc: '2.0', ...message }));
  return { transport, send, frames, closed, stderr, added, reaped };
}

interface Options extends Partial<StdioEntry> {
  readonly container?: object | undefined;
}

const ECHO = 'process.stdin.pipe(process.stdout)';

describe('a process', () => {
  test('is spoken to in lines; what it says besides comes line by line, too', async () => {
    const { transport, send, frames, stderr, closed, added } = await start(`console.error('a\\nb'); ${ECHO}`);
    send({ id: 1, method: 'x' });
    await expect.poll(() => frames).toEqual(['{"jsonrpc":"2.0","id":1,"method":"x"}']);
    await expect.poll(() => stderr).toEqual(['a', 'b']);
    expect([added, transport.wasReached, closed]).toEqual([[transport.pid], true, []]);
  });

  test('that is closed is gone, and reported to nobody', async () => {
    const { transport, closed, reaped } = await start(ECHO);
    const closing = transport.close();
    expect(transport.close()).toBe(closing);
    await closing;
    expect([reaped, closed]).toEqual([[transport.pid], []]);
  });

  test.each([
    ['exits', 'process.exit(3)', 'process exited (code 3)'],
    ['is killed', 'process.kill(process.pid, "SIGKILL")', 'process exited (signal SIGKILL)'],
  ])('that %s is a lost connection, once', async (_what, script, reason) => {
    const { transport, closed, reaped } = await start(script);
    await expect.poll(() => closed).toEqual([reason]);
    await transport.close();
    expect([closed, reaped]).toEqual([[reason], [transport.pid]]);
  });

  test('says its last words before it is lost', async () => {
    const { frames, stderr, closed } = await start(`console.log('{"id":1,"result":{}}'); process.stderr.write('bye')`);
    await expect.poll(() => closed).toEqual(['process exited (code 0)']);
    expect([frames, stderr]).toEqual([['{"id":1,"result":{}}'], ['bye']]);
  });

  test('that closes its output is deaf: it is asked to end', async () => {
    const { transport, closed, reaped } = await start('require("node:fs").closeSync(1); setInterval(() => {}, 1000)');
    await expect.poll(() => closed).toEqual(['closed its standard output']);
    await expect.poll(() => reaped).toEqual([transport.pid]);
  });

  test('that reads no more is deaf, too', async () => {
    const { send, closed, frames } = await start(
      `require("node:fs").closeSync(0); console.log('{"id":1,"result":{}}'); setInterval(() => {}, 1000)`,
    );
    await expect.poll(() => frames.length).toBe(1);
    send({ method: 'x' });
    await expect.poll(() => closed).toEqual([expect.stringContaining('writing to its standard input failed')]);
  });
});

describe('a container', () => {
  test('is ended with the process', async () => {
    const ended: (number | null)[] = [];
    const options = { file: process.execPath, args: ['-e', ECHO], cwd: '/', env: {} };
    const { transport } = await start('never run', {
      container: { options, end: async (code: Promise<number | null>) => void ended.push(await code) },
    });
    await transport.close();
    expect(ended).toEqual([0]);
  });

  test('is forgotten if its process cannot be started', async () => {
    let forgotten = 0;
    const options = { file: '/nowhere/at/all', args: [], cwd: '/', env: {} };
    const started = start('', { container: { options, forget: () => forgotten++ } });
    await expect(started).rejects.toThrow('could not be started');
    expect(forgotten).toBe(1);
  });
});
