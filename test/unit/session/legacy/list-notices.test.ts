import { expect, test, vi } from 'vitest';
import { ListNotices } from '../../../../src/session/legacy/list-notices.ts';
import { resultReply } from '../../../../src/wire/reply.ts';

function notices() {
  const sent: string[] = [];
  return { sent, notices: new ListNotices((bytes) => void sent.push(JSON.parse(String(bytes)).method)) };
}

const method = (list: string) => `notifications/${list}/list_changed`;

test('a client is told once of a list, of whatever kinds its changes are', () => {
  const { notices: told, sent } = notices();
  told.onChange(new Set(['resource', 'template', 'tool']));
  expect(sent).toEqual([method('resources'), method('tools')]);
});

test('a change of a list that a request waits for is not told, until it is answered', async () => {
  const { notices: told, sent } = notices();
  let known: (() => void) | undefined;
  const reply = resultReply({});
  const answered = told.answer('tool', new Promise<void>((resolve) => (known = resolve)), () => {
    told.onChange(new Set(['tool']));
    return reply;
  });
  told.onChange(new Set(['tool', 'prompt']));
  expect(sent).toEqual([method('prompts')]);
  known!();
  expect(await answered).toBe(reply);
  expect(sent).toEqual([method('prompts'), method('tools')]);
});

test('a list that cannot be known is no longer waited for', async () => {
  const { notices: told, sent } = notices();
  const failed = told.answer('tool', Promise.reject(new Error('no list')), () => resultReply({}));
  await expect(failed).rejects.toThrow('no list');
  told.onChange(new Set(['tool']));
  expect(sent).toEqual([method('tools')]);
});

test('nothing is told any more once the notices are cancelled', () => {
  vi.useFakeTimers();
  try {
    const { notices: told, sent } = notices();
    told.cancel();
    for (let times = 0; times < 10; times++) told.onChange(new Set(['tool']));
    const before = sent.length;
    expect(vi.getTimerCount()).toBe(1);
    told.cancel();
    vi.runAllTimers();
    expect([sent.length, vi.getTimerCount()]).toEqual([before, 0]);
  } finally {
    vi.useRealTimers();
  }
});
