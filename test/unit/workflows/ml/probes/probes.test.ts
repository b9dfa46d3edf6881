import { describe, expect, test } from 'vitest';
import { CATEGORIES, PROBES } from '../../../../../src/workflows/ml/probes/probes.ts';

const probe = (id: string) => PROBES.find((one) => one.id === id)!;

test('there are 23 probes in 16 categories', () => {
  const count = (begin: string) => PROBES.filter(({ id }) => id.startsWith(begin)).length;
  expect(['math_', 'logic_', 'reason_', 'code_', 'word_'].map(count)).toEqual([8, 5, 5, 3, 2]);
  expect(new Set(PROBES.map(({ id }) => id)).size).toBe(23);
  expect(CATEGORIES).toHaveLength(16);
});

/** The answers by other ways than those that the probes have been written by. */
test('what is expected is right', () => {
  const f = (n: number): number => (n < 2 ? 1 : f(n - 1) + 2 * f(n - 2));
  const facts: Record<string, number> = {
    math_01: 347 * 28 - 1_906,
    math_02: 5_832 / 24 + 17 ** 2,
    math_06: 9 + 40 + Math.hypot(9, 40),
    math_07: [4, 9, 19, 39, 79].at(-1)! * 2 + 1,
    math_08: 250 * 1.2 * 0.85,
    logic_05: 23 + 19 - (40 - 6),
    code_01: [1, 2, 4, 5, 7, 8].reduce((a, b) => a + b),
    code_02: [3, 1, 2].map((x, i) => x * i).reduce((a, b) => a + b, 10),
    code_03: f(5),
    word_02: 'the eleven secret letters'.split('e').length - 1,
  };
  for (const [id, value] of Object.entries(facts)) expect([id, Number(probe(id).expected)]).toEqual([id, value]);
  expect(7 * 12 - 15).toBe(3 * 12 + 33);
  expect(2 * 19 + 3 * ((19 - 3) / 2)).toBe(62);
  expect(new Set('angle')).toEqual(new Set('angel'));
});

describe.each(PROBES.map((one) => [one.id, one] as const))('%s', (_id, { expected, check }) => {
  test.each([
    expected,
    `Answer: ${expected}`,
    `**Answer:** ${expected}.`,
    `Some thoughts about 1 and 2.\n\nAnswer: **${expected}**\n`,
    `<think>Is it 99? yes, no, west. Answer: 5</think>\nANSWER: ${expected.toUpperCase()}`,
    `### Answer:\n\n\`${expected}\``,
    `$$\\boxed{${expected}}$$`,
    `The answer is ${expected}.`,
  ])('passes: %s', (text) => {
    expect(check(text)).toBe(true);
  });

  test.each(['', 'I do not know.', 'Answer: 123456', `It is ${expected}0x.\nAnswer: none of these`])(
    'fails: %s',
    (text) => {
      expect(check(text)).toBe(false);
    },
  );
});

test.each([
  ['math_01', 'Answer: 7,810', true],
  ['math_01', 'Answer: 347 * 28 - 1906 = 7810', true],
  ['math_01', 'Answer: 78100', false],
  ['math_05', 'Answer: \\frac{5}{33}', true],
  ['math_05', 'Answer: 0.1515', true],
  ['math_05', 'Answer: 15.15%', true],
  ['math_05', 'Answer: 5/12', false],
  ['math_08', 'Answer: 255 euros', true],
  ['logic_01', 'Answer: Yes, it is made of brass.', true],
  ['logic_03', 'Answer: Yes', false],
  ['logic_02', 'Answer: Uma, then Vic', false],
  ['logic_04', 'Answer: apples and pears', true],
  ['logic_04', 'Answer: pears', false],
  ['reason_04', 'Answer: 2:25 AM', true],
  ['reason_04', 'Answer: 2:25 PM', false],
  ['reason_02', 'Answer: the fan being off', true],
])('%s, "%s": %s', (id, text, passes) => {
  expect(probe(id).check(text)).toBe(passes);
});
