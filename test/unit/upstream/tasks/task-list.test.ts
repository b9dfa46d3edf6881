import { expect, onTestFinished, test, vi } from 'vitest';
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
