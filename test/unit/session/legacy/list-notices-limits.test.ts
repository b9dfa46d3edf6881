import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ListNotices } from '../../../../src/session/legacy/list-notices.ts';
import { toBuffer } from '../../../../src/wire/bytes.ts';
import { resultReply } from '../../../../src/wire/reply.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open() {
  const told: string[] = [];
  const lists = new ListNotices((bytes) => told.push(JSON.parse(toBuffer(bytes).toString()).method));
  return { lists, told };
}

test('resources and their templates are one list', () => {
  const { lists, told } = open();
  lists.onChange(new Set(['resource', 'template', 'prompt']));
  expect(told).toEqual(['notifications/resources/list_changed', 'notifications/prompts/list_changed']);
});

test('of many changes few are told at once, and the last one later, unless the client has gone', async () => {
  const [staying, gone] = [open(), open()];
  for (const { lists } of [staying, gone]) for (let count = 0; count < 9; count++) lists.onChange(new Set(['tool']));
  expect([staying.told.length, gone.told.length]).toEqual([4, 4]);
  gone.lists.cancel();
  await vi.advanceTimersByTimeAsync(1_000);
  expect([staying.told.length, gone.told.length]).toEqual([5, 4]);
  open().lists.cancel();
});

test('a list that is waited for is told of again once it could not be had', async () => {
  const { lists, told } = open();
  const waiting = lists.answer('tool', Promise.reject(new Error('gone')), () => resultReply({}));
  lists.onChange(new Set(['tool']));
  expect(told).toEqual([]);
  await expect(waiting).rejects.toThrow('gone');
  lists.onChange(new Set(['tool']));
  expect(told).toEqual(['notifications/tools/list_changed']);
});
