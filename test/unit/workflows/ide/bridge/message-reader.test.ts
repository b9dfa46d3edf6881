import { expect, test, vi } from 'vitest';
import { MessageReader } from '../../../../../src/workflows/ide/bridge/message-reader.ts';

test('messages are read, and those that are malformed are counted', () => {
  const reader = new MessageReader({ warn: vi.fn() });
  expect(reader.read('{"type":"note","data":1}')).toMatchObject({ type: 'note', data: 1 });
  expect(reader.malformed).toBe(0);
  for (const text of ['{', '[]', '{"type":1}', undefined]) expect(reader.read(text)).toBeUndefined();
  expect(reader.malformed).toBe(4);
});

test('the log names the reasons of the 1st, 2nd, 4th and 8th malformed message only', () => {
  const warn = vi.fn();
  const reader = new MessageReader({ warn });
  for (let message = 0; message < 9; message++) reader.read(undefined);
  const logged = warn.mock.calls.map(([facts]) => facts as { count: number; reason: string });
  expect(logged.map(({ count }) => count)).toEqual([1, 2, 4, 8]);
  expect(logged[0]).toEqual({ event: 'ide-bridge', count: 1, reason: 'it is binary' });
});
