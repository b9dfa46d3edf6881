import { EventEmitter, once } from 'node:events';
import { Writable } from 'node:stream';
import { afterEach, expect, test, vi } from 'vitest';
import { faultEnding } from '../../../../src/commands/terminal/fault.ts';
import { faultText } from '../../../../src/commands/terminal/fault-text.ts';
import { createLog } from '../../../../src/telemetry/log.ts';

const TOKEN = `ghp_${'q7Zr'.repeat(9)}`;

afterEach(() => {
  process.exitCode = undefined;
});

function setUp(stop: () => Promise<void>, limitMs = 60_000) {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const exits: number[] = [];
  const exiting = new EventEmitter();
  const exited = once(exiting, 'exit');
  const exit = (code: number) => {
    exits.push(code);
    exiting.emit('exit');
  };
  const end = faultEnding({ log: createLog({ level: 'info', destination }), stop, exit, limitMs });
  return { end, lines, exits, exited };
}

test('a fault is logged and ends everything once, whatever goes wrong meanwhile', async () => {
  const stop = vi.fn(async () => {
    throw new Error('cannot stop');
  });
  const { end, lines, exits, exited } = setUp(stop);
  end(new Error('first'));
  end(new Error('second'));
  await exited;
  expect(stop).toHaveBeenCalledTimes(1);
  expect(exits[0]).toBe(70);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 60, event: 'fault' }]);
  expect(lines[0]).toContain('Error: first');
  expect(lines[0]).toContain('fault.test.ts');
});

test('what does not end is not waited for', async () => {
  const { end, exits, exited } = setUp(() => new Promise(() => undefined), 1);
  end('thrown text');
  await exited;
  expect(exits).toEqual([70]);
});

test('a fault of the log keeps nothing from ending', async () => {
  const stop = vi.fn(async () => undefined);
  const log = createLog({ level: 'info', destination: new Writable() });
  log.fatal = () => {
    throw new Error('no log');
  };
  await new Promise<void>((resolve) => faultEnding({ log, stop, exit: () => resolve() })(new Error('first')));
  expect(stop).toHaveBeenCalledTimes(1);
});

test('what is written of a fault has its causes and no secret', () => {
  const cause = new Error(`refused: Authorization: Bearer ${TOKEN}`);
  const text = faultText(new Error('a call failed', { cause }));
  expect(text).toContain('Error: a call failed');
  expect(text).toContain('caused by: Error: refused');
  expect(text).not.toContain(TOKEN);
  expect(faultText({ apiKey: TOKEN })).not.toContain(TOKEN);
  expect(faultText(undefined)).toBe('thrown: undefined');
});
