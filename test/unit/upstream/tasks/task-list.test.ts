import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createLog } from '../../../../src/telemetry/log.ts';
import type { Link } from '../../../../src/upstream/connection/link.ts';
import { listedTasks } from '../../../../src/upstream/tasks/task-list.ts';
import { Frame } from '../../../../src/wire/frame.ts';
import { readMessage } from '../../../../src/wire/message.ts';

test('a server that answers each page just in time holds the list of tasks for four times that', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let pages = 0;
  const request = async (_method: string, _params: unknown, ms: number) => {
    await new Promise((resolve) => setTimeout(resolve, Math.min(ms, 900)));
    if (ms < 900) throw new Error('late');
    const result = { tasks: [{ taskId: `t${++pages}`, status: 'working' }], nextCursor: String(pages) };
    return readMessage(Frame.of(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, result }))));
  };
  const link = { request } as unknown as Link;
  const log = createLog({ level: 'silent' });
  const listed = listedTasks({ key: 'up', link, listMs: 1_000, log, isWanted: () => true });
  let isDone = false;
  void listed.then(() => {
    isDone = true;
  });
  await vi.advanceTimersByTimeAsync(4_000);
  expect(isDone).toBe(true);
  expect(await listed).toHaveLength(4);
});

describe('the list of tasks', () => {
  /** Lists the tasks of a server that answers page by page; an error in place of a page is what it fails with. */
  async function list(pages: readonly (object | Error)[], isWanted: (ownId: string) => boolean = () => true) {
    const asked: unknown[] = [];
    const request = async (method: string, params: unknown, ms: number) => {
      const page = pages[Math.min(asked.length, pages.length - 1)]!;
      asked.push([method, params, ms]);
      if (page instanceof Error) throw page;
      return readMessage(Frame.of(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, ...page }))));
    };
    const link = { request } as unknown as Link;
    const log = createLog({ level: 'silent' });
    const found = await listedTasks({ key: 'up', link, listMs: 1_000, log, isWanted });
    const ids = found.map((json) => (JSON.parse(json) as { taskId: string }).taskId);
    return { asked, ids };
  }
  const task = (taskId: string) => ({ taskId, status: 'working' });
  const page = (ids: readonly string[], nextCursor?: unknown) => ({ result: { tasks: ids.map(task), nextCursor } });
  const ends = (ids: readonly string[]) => ids.map((id) => id.replace(/^.*[^a-z0-9]/, ''));

  test('is that of all pages, in their order, each asked for with the cursor of the one before', async () => {
    const { asked, ids } = await list([page(['a', 'b'], 'next'), page(['c'])]);
    expect(ends(ids)).toEqual(['a', 'b', 'c']);
    expect(asked).toEqual([
      ['tasks/list', {}, 1_000],
      ['tasks/list', { cursor: 'next' }, 1_000],
    ]);
  });

  test('has only the tasks that the client may see, and that are tasks', async () => {
    const odd = { result: { tasks: [task('a'), 5, {}, task('b'), task('c')] } };
    expect(ends((await list([odd], (id) => id !== 'b')).ids)).toEqual(['a', 'c']);
  });

  test('has those of the pages before one that fails', async () => {
    expect(ends((await list([page(['a'], 'x'), new Error('gone')])).ids)).toEqual(['a']);
  });

  test.each([
    ['an error', { error: { code: -1, message: 'no' } }],
    ['a result of another kind', { result: 5 }],
    ['no list', { result: { tasks: 'x' } }],
    ['nothing', { result: {} }],
  ])('is empty where the server answers with %s', async (_what, answer) => {
    const { ids, asked } = await list([answer]);
    expect([ids, asked.length]).toEqual([[], 1]);
  });

  test('has at most 100 pages', async () => {
    expect((await list([page(['a'], 'for ever')])).asked).toHaveLength(100);
  });

  test('has at most 10,000 tasks', async () => {
    const many = Array.from({ length: 6_000 }, (_, index) => String(index));
    const { ids } = await list([page(many, 'x'), page(many)]);
    expect(ids).toHaveLength(10_000);
  });
});
