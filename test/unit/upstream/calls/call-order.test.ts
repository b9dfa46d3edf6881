import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CallOrder } from '../../../../src/upstream/calls/call-order.ts';
import { callOf } from '../calls.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

function open(limit: number, oneAtATimeBy: readonly string[]) {
  const order = new CallOrder(limit, oneAtATimeBy);
  const begun: string[] = [];
  const running = new Map<string, () => void>();
  const arrive = (name: string, args: string) =>
    order.run(callOf('build', args), {
      begin: (done) => {
        begun.push(name);
        running.set(name, done);
      },
    });
  const end = async (name: string) => {
    running.get(name)?.();
    running.delete(name);
    await settle();
  };
  return { order, arrive, end, begun, running };
}

describe('calls that name the same thing', () => {
  test('run one after the other, others beside them', async () => {
    const { arrive, end, begun } = open(10, ['tabIdentifier']);
    arrive('a1', '{"tabIdentifier":"a"}');
    arrive('a2', '{"x":1,"tabIdentifier":"a"}');
    arrive('b1', '{"tabIdentifier":"b"}');
    arrive('none', '{"other":"a"}');
    arrive('a3', '{"tabIdentifier":"a"}');
    expect(begun).toEqual(['a1', 'b1', 'none']);
    await end('b1');
    expect(begun).toHaveLength(3);
    await end('a1');
    expect(begun.slice(3)).toEqual(['a2']);
    await end('a2');
    await end('a3');
    expect(begun).toEqual(['a1', 'b1', 'none', 'a2', 'a3']);
    arrive('a4', '{"tabIdentifier":"a"}');
    expect(begun.at(-1)).toBe('a4');
  });

  test('are told apart by the first argument that counts, by its type, and by the last of two', () => {
    const { arrive, begun } = open(10, ['tab', 'path']);
    for (const [index, args] of [
      '{"tab":1}',
      '{"tab":"1"}',
      '{"tab":1,"path":"x"}',
      '{"path":"x"}',
      '{"path":1}',
      '{"tab":2,"tab":1}',
      '{"tab":1,"tab":3}',
    ].entries()) {
      arrive(String(index), args);
    }
    expect(begun).toEqual(['0', '1', '3', '4', '6']);
  });

  test.each(['[]', '"tab"', 'null', '{}'])('arguments that name nothing hold nobody up: %s', (args) => {
    const { arrive, begun } = open(10, ['tab']);
    arrive('1', args);
    arrive('2', args);
    expect(begun).toEqual(['1', '2']);
  });

  test('are forgotten, with what they name, when the last of them has ended or left', async () => {
    const { order, arrive, end } = open(1, ['tab']);
    arrive('a1', '{"tab":"a"}');
    const leaveKey = arrive('a2', '{"tab":"a"}')!;
    const leaveRoom = arrive('b1', '{"tab":"b"}')!;
    expect(order.keys).toBe(2);
    leaveRoom();
    expect(order.keys).toBe(1);
    leaveKey();
    expect(order.keys).toBe(1);
    await end('a1');
    expect(order.keys).toBe(0);
  });

  test('one that has begun cannot leave any more', async () => {
    const { order, arrive, end, begun } = open(10, ['tab']);
    arrive('a1', '{"tab":"a"}');
    const leave = arrive('a2', '{"tab":"a"}')!;
    await end('a1');
    leave();
    arrive('a3', '{"tab":"a"}');
    expect([begun, order.keys]).toEqual([['a1', 'a2'], 1]);
    await end('a2');
    expect(begun).toEqual(['a1', 'a2', 'a3']);
  });

  test('without such arguments only the limit counts', () => {
    const { arrive, begun } = open(2, []);
    for (const name of ['1', '2', '3']) arrive(name, '{"tab":1}');
    expect(begun).toEqual(['1', '2']);
  });
});

test('within the limit, one at a time of each thing, in order of arrival; who leaves never begins, nobody else waits for ever', async () => {
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('a', 'b', 'c', '') },
    { weight: 2, arbitrary: fc.nat({ max: 5 }) },
    { weight: 1, arbitrary: fc.constant('leave') },
  );
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.array(step, { maxLength: 25 }), async (limit, steps) => {
      const { arrive, end, begun, running } = open(limit, ['tab']);
      const waiting = new Map<string, () => void>();
      const left: string[] = [];
      let arrived = 0;
      const check = () => {
        for (const name of begun) waiting.delete(name);
        const tabs = [...running.keys()].map((name) => name.split(' ')[0]).filter((tab) => tab !== '');
        expect(new Set(tabs).size).toBe(tabs.length);
        expect(running.size).toBeLessThanOrEqual(limit);
      };
      const begin = (tab: string) => {
        const name = `${tab} ${arrived++}`;
        const leave = arrive(name, tab === '' ? '{}' : `{"tab":"${tab}"}`);
        expect(leave === undefined).toBe(begun.includes(name));
        if (leave !== undefined) waiting.set(name, leave);
      };
      const leave = () => {
        const [name, go] = [...waiting].at(-1) ?? [];
        if (name === undefined) return;
        waiting.delete(name);
        left.push(name);
        go!();
      };
      for (const next of steps) {
        if (typeof next === 'number') await end([...running.keys()][next] ?? '');
        else if (next === 'leave') leave();
        else begin(next);
        check();
      }
      for (let guard = 0; running.size > 0 && guard < 100; guard++) {
        await end([...running.keys()][0]!);
        check();
      }
      expect([begun.length, waiting.size]).toEqual([arrived - left.length, 0]);
      expect(begun.filter((name) => left.includes(name))).toEqual([]);
      for (const tab of ['a', 'b', 'c']) {
        const numbers = begun.filter((name) => name.startsWith(`${tab} `)).map((name) => Number(name.slice(2)));
        expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
      }
    }),
    { numRuns: 300 },
  );
});
