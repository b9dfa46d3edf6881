import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  fromStored,
  keyOf,
  type MetricEvent,
  metricLine,
  readMetricLine,
  tidy,
  toStored,
  whyNoLine,
} from '../../../../src/workflows/metrics/metric-event.ts';
import { metricEvents } from '../../../support/stores/metric-events.ts';

const AT = '2026-02-20T14:54:05.123456789Z';

describe('a line of go-ai', () => {
  test('is read with all that is in it', () => {
    const line = `{"type":"build","timestamp":"${AT}","agent_id":"a","repo":"r","duration":15,"data":{"n":[1]},"later":true}`;
    expect(readMetricLine(line)).toEqual(JSON.parse(line));
    expect(metricLine(readMetricLine(line)!)).toBe(line);
  });

  test('keeps whole numbers of any size as they are', () => {
    const line = `{"type":"x","timestamp":"${AT}","duration":9223372036854775807,"data":{"ids":[9007199254740993,-18446744073709551616]}}`;
    const event = readMetricLine(line)!;
    expect(metricLine(event)).toBe(line);
    expect(metricLine(fromStored(toStored(event)))).toBe(line);
    expect(keyOf(event)).not.toBe(keyOf(readMetricLine(line.replace('993', '992'))!));
  });

  test('loses what is empty', () => {
    const line = `{"timestamp":"${AT}","type":"x","agent_id":"","repo":null,"duration":0,"data":{}}`;
    expect(metricLine(readMetricLine(line)!)).toBe(`{"type":"x","timestamp":"${AT}"}`);
  });

  test.each([
    'no json',
    '{"type":"x"',
    'null',
    '"x"',
    '[]',
    '{}',
    `{"type":"x"}`,
    `{"timestamp":"${AT}"}`,
    `{"type":"","timestamp":"${AT}"}`,
    `{"type":1,"timestamp":"${AT}"}`,
    '{"type":"x","timestamp":"yesterday"}',
    '{"type":"x","timestamp":1771599245}',
    `{"type":"x","timestamp":"${AT}","agent_id":1}`,
    `{"type":"x","timestamp":"${AT}","repo":[]}`,
    `{"type":"x","timestamp":"${AT}","duration":"1s"}`,
    `{"type":"x","timestamp":"${AT}","duration":1.5}`,
    `{"type":"x","timestamp":"${AT}","data":[1]}`,
    `{"type":"x","timestamp":"${AT}","data":"text"}`,
    `{"type":"x","timestamp":"${AT}","data":{"n":1e400}}`,
    `{"type":"x","timestamp":"${AT}","data":{"n":${'9'.repeat(400)}}}`,
  ])('is malformed: %s', (line) => {
    expect(readMetricLine(line)).toBeUndefined();
  });
});

test('a line may be nested, and not as deep as it likes', () => {
  const nested = (levels: number) =>
    `{"type":"x","timestamp":"${AT}","data":{"a":${'['.repeat(levels)}${']'.repeat(levels)}}}`;
  expect(readMetricLine(nested(50))).toBeDefined();
  for (const levels of [200, 100_000]) expect(readMetricLine(nested(levels))).toBeUndefined();
});

test('an event is the same after a line, and after the store', () => {
  fc.assert(
    fc.property(metricEvents, (event) => {
      expect(metricLine(readMetricLine(metricLine(event))!)).toBe(metricLine(event));
      const { key, ...stored } = toStored(event);
      const back = fromStored(stored);
      expect(metricLine(back)).toBe(metricLine(event));
      expect(keyOf(back)).toBe(key);
    }),
  );
});

test('the key of an event is that of no other, and does not depend on the order of its members', () => {
  const event = tidy({ type: 'x', timestamp: AT, agent_id: 'a', data: { b: 1, a: 2 } });
  const turned = readMetricLine(`{"data":{"a":2,"b":1},"agent_id":"a","timestamp":"${AT}","type":"x"}`)!;
  expect(keyOf(turned)).toBe(keyOf(event));
  const others: MetricEvent[] = [
    { ...event, type: 'y' },
    { ...event, timestamp: AT.replace('9Z', '8Z') },
    { ...event, agent_id: 'b' },
    { ...event, repo: 'a' },
    { ...event, duration: 1 },
    { ...event, data: { b: 1 } },
  ];
  expect(new Set([event, ...others].map(keyOf)).size).toBe(7);
});

test('what would be no line for go-ai is known before it is stored', () => {
  const large = { type: 'x', timestamp: AT, data: { text: 'x'.repeat(1024 * 1024) } };
  expect(whyNoLine(large)).toContain('too large');
  let deep: object = {};
  for (let level = 0; level < 200; level++) deep = { deep };
  expect(whyNoLine({ type: 'x', timestamp: AT, data: deep })).toContain('too deeply');
  expect(whyNoLine({ type: 'x', timestamp: AT, data: { n: Number.POSITIVE_INFINITY } })).toContain('too large');
  expect(whyNoLine({ type: 'x', timestamp: AT, data: { text: 'x'.repeat(1_000_000) } })).toBeUndefined();
});
