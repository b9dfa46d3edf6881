import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseTaskId, type TaskId, taskIdPrefix } from '../../../../src/core/providers/task-id.ts';

const publicId = ({ key, ownId }: TaskId): string => taskIdPrefix(key) + ownId;
const key = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/);

test('an id leads back to its upstream and to what that calls it', () => {
  fc.assert(
    fc.property(key, fc.string({ unit: 'binary' }), (upstream, ownId) => {
      expect(parseTaskId(publicId({ key: upstream, ownId }))).toEqual({ key: upstream, ownId });
    }),
  );
});

test('no two tasks have one id', () => {
  const task = fc.record({ key, ownId: fc.string() });
  fc.assert(
    fc.property(task, task, (one, other) => {
      const isSame = one.key === other.key && one.ownId === other.ownId;
      expect(publicId(one) === publicId(other)).toBe(isSame);
    }),
  );
});

test.each(['', '/', '/x', 'x'])('%j is no id of a task', (id) => {
  expect(parseTaskId(id)).toBeUndefined();
});
