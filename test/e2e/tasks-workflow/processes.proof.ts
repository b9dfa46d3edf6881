import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { Place } from '../../support/stores/checkpoint-writers.ts';
import { KINDS } from '../../support/stores/databases.ts';
import { taskGateways } from './setup.ts';

const PROCESSES = 4;
const UPDATES = 30;

/** Another process that changes a task, in three places at once. */
function changeElsewhere({ home, url = '' }: Place, id: string, name: string): Promise<unknown> {
  const words = ['dist-fixtures/task-writer.js', home, url, id, name, String(UPDATES), '3'];
  return promisify(execFile)(process.execPath, words);
}

describe.each(KINDS)('a task that several processes change at once, on %s', (kind) => {
  const { newPlace, connect } = taskGateways(kind);

  test('loses no link and no change of its status', async ({ skip }) => {
    const place = await newPlace(skip);
    const call = await connect(place);
    const { id } = await call('create_task', { project_id: 'acme', title: 't' });
    const names = Array.from({ length: PROCESSES }, (_, index) => `p${index}`);
    const byTool = Array.from({ length: UPDATES }, (_, index) => `tool/${index}`);
    await Promise.all([
      ...names.map((name) => changeElsewhere(place, id, name)),
      ...byTool.map((branch) => call('update_task', { task_id: id, branch })),
    ]);
    const { branch, branches, status, status_history: history } = await call('get_task', { task_id: id });
    const all = [...names.flatMap((name) => byTool.map((own) => own.replace('tool', name))), ...byTool];
    expect(new Set(branches)).toEqual(new Set(all));
    expect(branches).toHaveLength(all.length);
    expect(branch).toBe(branches.at(-1));
    // Each change began from where the one before had ended.
    const from = history.map((change: any) => change.from_status);
    const to = history.map((change: any) => change.to_status);
    expect(from).toEqual([null, ...to.slice(0, -1)]);
    expect(to.at(-1)).toBe(status);
    const times = history.map((change: any) => change.changed_at);
    expect(new Set(times).size).toBe(times.length);
  });
});
