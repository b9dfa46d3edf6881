import fc from 'fast-check';
import { type MetricEvent, tidy } from '../../../src/workflows/metrics/metric-event.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('', 'build', 'a\0b', '\ud800', 'ü', ' ', '\u2028'),
);
const timestamp = fc
  .tuple(
    fc.date({ min: new Date(0), max: new Date(Date.UTC(2100, 0)), noInvalidDate: true }),
    fc.stringMatching(/^[0-9]{0,6}$/),
    fc.constantFrom('Z', '+00:00', '-11:30', '+14:00'),
  )
  .map(([date, fraction, zone]) => `${date.toISOString().slice(0, -1)}${fraction}${zone}`);

/** Any event, as it is kept. */
export const metricEvents: fc.Arbitrary<MetricEvent> = fc
  .record(
    {
      type: text.filter((type) => type !== ''),
      timestamp,
      agent_id: text,
      repo: text,
      duration: fc.oneof(fc.nat(), fc.bigInt(2n ** 53n, 2n ** 63n - 1n)),
      data: fc.dictionary(text, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 }),
      // A member that a later go-ai may have.
      extra: fc.jsonValue({ maxDepth: 1 }),
    },
    { requiredKeys: ['type', 'timestamp'] },
  )
  .map(tidy);
