import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { LiveMessage } from '../../../../src/core/providers/live-feed.ts';
import { processSetup } from './process-setup.ts';

const NODE = process.execPath;

/** Lines with their numbers: 8 bytes each. */
const COUNT_TO = (lines: number) =>
  `process.stdout.write(Array.from({ length: ${lines} }, (_, i) => String(i).padStart(7, '0') + '\\n').join(''))`;

const lineAt = (offset: number) => String(offset / 8).padStart(7, '0');

describe('the output of a process', () => {
  test('has standard output and standard error in one', async () => {
    const { shell, ended, call } = processSetup();
    const id = await shell('echo ä; echo € >&2');
    await ended(id);
    const { output, ...rest } = await call('output', { id });
    expect(output.split('\n').sort()).toEqual(['', 'ä', '€']);
    expect(rest).toEqual({ id, offset: 0, nextOffset: 7, dropped: 0, status: 'exited' });
  });

  test('is the newest of it, cut between characters', async () => {
    const { start, ended, call } = processSetup({ outputBytes: 1_024 });
    const id = await start(NODE, ['-e', "process.stdout.write('€'.repeat(2_000))"]);
    await ended(id);
    expect(await call('output', { id })).toEqual({
      id,
      output: '€'.repeat(341),
      offset: 4_977,
      nextOffset: 6_000,
      dropped: 4_977,
      status: 'exited',
    });
  });

  test('can be followed while it is written, piece by piece', async () => {
    const { start, call } = processSetup({ outputBytes: 1_048_576 });
    const id = await start(NODE, ['-e', COUNT_TO(50_000)]);
    let [text, offset] = ['', 0];
    for (let status = 'running'; ; ) {
      const piece = await call('output', { id, offset, limit: 10_000 });
      expect(piece).toMatchObject({ offset, dropped: 0 });
      text += piece.output;
      offset = piece.nextOffset;
      if (piece.output === '' && status !== 'running') break;
      status = piece.status;
      // The calls alone would never let anything be read.
      await nextTurn();
    }
    expect(offset).toBe(400_000);
    expect(text).toBe(Array.from({ length: 50_000 }, (_, line) => `${lineAt(line * 8)}\n`).join(''));
  });

  test('says what a follower has missed', async () => {
    const { start, ended, call } = processSetup({ outputBytes: 1_024 });
    const id = await start(NODE, ['-e', COUNT_TO(1_000)]);
    await ended(id);
    const piece = await call('output', { id, offset: 800, limit: 8 });
    expect(piece).toMatchObject({ output: `${lineAt(6_976)}\n`, offset: 6_976, nextOffset: 6_984, dropped: 6_176 });
  });

  test('keeps characters whole that two pipes write by halves', async () => {
    const { start, ended, output } = processSetup();
    const script = `
      const { writeSync } = require('node:fs');
      const [first, second] = [Buffer.from('€'), Buffer.from('𝄞')];
      const wait = () => new Promise((resolve) => setTimeout(resolve, 100));
      (async () => {
        writeSync(1, first.subarray(0, 1)); await wait();
        writeSync(2, second.subarray(0, 2)); await wait();
        writeSync(1, first.subarray(1)); await wait();
        writeSync(2, second.subarray(2));
      })();`;
    const id = await start(NODE, ['-e', script]);
    await ended(id);
    expect(await output(id)).toBe('€𝄞');
  });

  test('comes to the end even if somebody else has its pipe and goes on', async () => {
    const { start, ended, output } = processSetup();
    const script = `
      const { spawn } = require('node:child_process');
      const env = { PATH: process.env.PATH };
      const left = spawn('sh', ['-c', 'sleep 3'], { detached: true, env, stdio: 'inherit' });
      left.unref();
      console.log('done');`;
    const id = await start(NODE, ['-e', script]);
    expect(await ended(id)).toMatchObject({ status: 'exited', exitCode: 0 });
    expect(await output(id)).toBe('done\n');
  });
});

describe('who watches a process', () => {
  test('hears of all text and then of its end', async () => {
    const { live, start, ended } = processSetup();
    const messages: LiveMessage[] = [];
    live.watch('process:proc-1', { onMessage: (message) => void messages.push(message), whenRoom: () => undefined });
    const id = await start(NODE, ['-e', `${COUNT_TO(20_000)}; process.exitCode = 3`]);
    await ended(id);
    const last = messages.pop();
    expect(last).toEqual({
      channel: 'process:proc-1',
      type: 'process_status',
      processId: 'proc-1',
      data: { status: 'exited', exitCode: 3 },
    });
    expect(new Set(messages.map(({ type }) => type))).toEqual(new Set(['process_output']));
    expect(messages.map(({ data }) => data).join('')).toHaveLength(160_000);
  });

  test('is waited for while there is no room, and misses nothing', async () => {
    const { live, start, call, ended, infoOf } = processSetup();
    const size = 8_000_000;
    const texts: unknown[] = [];
    let release = () => {};
    let room: Promise<void> | undefined;
    const fill = () => {
      room = new Promise<void>((resolve) => {
        release = () => {
          room = undefined;
          resolve();
        };
      });
    };
    fill();
    live.watch('process:proc-1', {
      onMessage: ({ type, data }) => void (type === 'process_output' && texts.push(data)),
      whenRoom: () => room,
    });
    const id = await start(NODE, ['-e', COUNT_TO(size / 8)]);
    await expect.poll(() => texts.length).toBeGreaterThan(0);
    const read = async () => (await call('output', { id, offset: size })).nextOffset as number;
    const stuckAt = await read();
    // Whatever else happens here, nothing is read.
    await call('start', { command: 'true' });
    await ended('proc-2');
    expect(await read()).toBe(stuckAt);
    expect(stuckAt).toBeLessThan(size / 2);
    release();
    await expect.poll(read).toBeGreaterThan(stuckAt);
    expect(await ended(id)).toMatchObject({ status: 'exited' });
    expect(texts.join('')).toHaveLength(size);
    expect((await infoOf(id)).status).toBe('exited');
  });

  test('is waited for at the end, too', async () => {
    const { live, start, call, infoOf } = processSetup();
    let release = () => {};
    const room = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isFull = true;
    const texts: unknown[] = [];
    live.watch('process:proc-1', {
      onMessage: ({ type, data }) => void (type === 'process_output' && texts.push(data)),
      whenRoom: () => (isFull ? room : undefined),
    });
    // It ends while most of what it has written is still in the pipe.
    const id = await start(NODE, ['-e', COUNT_TO(20_000)]);
    await expect.poll(() => texts.length).toBeGreaterThan(0);
    await call('start', { command: 'sleep', args: ['0.6'] });
    await expect.poll(async () => (await infoOf('proc-2')).status).toBe('exited');
    expect((await infoOf(id)).status).toBe('running');
    isFull = false;
    release();
    await expect.poll(async () => (await infoOf(id)).status).toBe('exited');
    expect(texts.join('')).toHaveLength(160_000);
  });
});

describe('the input of a process', () => {
  test('reaches it as it is', async () => {
    const { start, call, output, ended } = processSetup();
    const id = await start('cat');
    expect(await call('input', { id, input: 'ä\n' })).toEqual({
      id,
      success: true,
      message: '2 characters were written',
    });
    await expect.poll(() => output(id)).toBe('ä\n');
    expect(await call('input', { id, input: 'end', close: true })).toMatchObject({ success: true });
    expect(await ended(id)).toMatchObject({ status: 'exited', exitCode: 0 });
    expect(await output(id)).toBe('ä\nend');
  });

  test('may be larger than its pipe, and what callers write at one time stays together', async () => {
    const { start, call, ended, output } = processSetup({ inputMs: 20_000, outputBytes: 8_000_000 });
    const id = await start('cat');
    const [first, second] = ['a𝄞'.repeat(300_000), 'b'.repeat(500_000)];
    await Promise.all([call('input', { id, input: first }), call('input', { id, input: second })]);
    expect(await call('input', { id, input: '', close: true })).toMatchObject({ message: 'its input is closed' });
    await ended(id);
    expect((await output(id)) === first + second).toBe(true);
  });

  test('waits only so long for a process that does not read, and goes on when it does', async () => {
    const { start, call, ended, output } = processSetup();
    const script =
      "setInterval(() => undefined, 1000); process.on('SIGUSR2', () => process.stdin.on('data', (data) => process.stdout.write(data)).on('end', () => process.exit()))";
    const id = await start(NODE, ['-e', `${script}; console.error('up')`]);
    await expect.poll(() => output(id)).toBe('up\n');
    const refused = await call('input', { id, input: 'x'.repeat(2_000_000) });
    expect(refused.code).toBe('PROCESS_FAILED');
    const [, missing] = /has not read its input for 300 ms: (\d+) of 2000000 characters/.exec(refused.message)!;
    expect(await call('input', { id, input: 'late' })).toMatchObject({
      message: expect.stringContaining('4 of 4 characters were not written'),
    });
    process.kill((await call('list')).processes[0].pid, 'SIGUSR2');
    await expect.poll(() => call('input', { id, input: 'more', close: true })).toMatchObject({ success: true });
    await ended(id);
    const { nextOffset } = await call('output', { id });
    expect(nextOffset).toBe(3 + 2_000_000 - Number(missing) + 4);
  });

  test.each([
    ['that it has closed', 'exec <&-; echo up; sleep 300', 'reads no more input'],
    ['of one that has ended', 'echo up; exit 2', 'takes no input: it ended with exit code 2'],
  ])('%s is an error', async (_what, script, words) => {
    const { shell, call, output, ended } = processSetup();
    const id = await shell(script);
    await expect.poll(() => output(id)).toBe('up\n');
    if (script.includes('exit')) await ended(id);
    const failed = await call('input', { id, input: 'x' });
    expect(failed).toMatchObject({ code: 'PROCESS_FAILED', message: expect.stringContaining(words) });
  });

  test('is refused when it is empty, and after its end', async () => {
    const { start, call } = processSetup();
    const id = await start('sleep', ['300']);
    expect(await call('input', { id, input: '' })).toMatchObject({ code: 'INVALID_ARGUMENTS' });
    await call('input', { id, input: '', close: true });
    expect(await call('input', { id, input: 'x' })).toMatchObject({
      code: 'PROCESS_FAILED',
      message: `${id} takes no input: its input is closed`,
    });
  });
});
