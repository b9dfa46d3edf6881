import { expect, test } from 'vitest';
import { KeyedLanes } from '../../../../src/upstream/calls/keyed-lanes.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

function open() {
  const lanes = new KeyedLanes();
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (key: string, name: string) =>
    lanes.run(key, {
      begin: (done) => {
        begun.push(name);
        ends.set(name, done);
      },
    });
  const end = async (name: string) => {
    ends.get(name)!();
    await settle();
  };
  return { lanes, begun, run, end };
}

test('work of one key runs one at a time, work of another beside it', async () => {
  const { begun, run, end } = open();
  expect(run('a', 'a1')).toBeUndefined();
  expect(run('a', 'a2')).toBeDefined();
  expect(run('b', 'b1')).toBeUndefined();
  expect(begun).toEqual(['a1', 'b1']);
  await end('a1');
  expect(begun).toEqual(['a1', 'b1', 'a2']);
});

test('a key is forgotten with its last work, and not before', async () => {
  const { lanes, run, end } = open();
  run('a', 'a1');
  run('a', 'a2');
  run('b', 'b1');
  expect(lanes.size).toBe(2);
  await end('b1');
  expect(lanes.size).toBe(1);
  await end('a1');
  expect(lanes.size).toBe(1);
  await end('a2');
  expect(lanes.size).toBe(0);
});

test('a key is forgotten when the last work leaves before its turn', async () => {
  const { lanes, begun, run, end } = open();
  run('a', 'a1');
  const leave = run('a', 'a2')!;
  leave();
  expect(lanes.size).toBe(1);
  await end('a1');
  expect([lanes.size, begun]).toEqual([0, ['a1']]);
});

test('work that has begun cannot leave: the next one still waits for its end', async () => {
  const { lanes, begun, run, end } = open();
  run('a', 'a1');
  const leave = run('a', 'a2')!;
  await end('a1');
  leave();
  run('a', 'a3');
  await settle();
  expect([lanes.size, begun]).toEqual([1, ['a1', 'a2']]);
  await end('a2');
  expect(begun).toEqual(['a1', 'a2', 'a3']);
});
