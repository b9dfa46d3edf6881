import { isNumber } from './checks.ts';
import type { Probe } from './probe.ts';

const number = (id: string, category: string, prompt: string, expected: number): Probe => ({
  id,
  category,
  prompt,
  expected: String(expected),
  check: isNumber(expected),
});

export const MATH_PROBES: readonly Probe[] = [
  number('math_01', 'arithmetic', 'What is 347 times 28, minus 1906?', 7_810),
  number('math_02', 'arithmetic', 'Divide 5832 by 24, then add the square of 17. What is the result?', 532),
  number('math_03', 'algebra', 'Solve for x: 7x - 15 = 3x + 33.', 12),
  number(
    'math_04',
    'algebra',
    "An adult's ticket costs 3 coins more than twice a child's ticket. Two adults and three children pay 62 coins together. How many coins does an adult's ticket cost?",
    19,
  ),
  {
    ...number(
      'math_05',
      'probability',
      'A bag holds 4 red, 5 blue and 3 green marbles. Two are drawn without putting the first one back. What is the probability that both are blue? Give a fraction.',
      5 / 33,
    ),
    expected: '5/33',
  },
  number('math_06', 'geometry', 'The legs of a right triangle are 9 cm and 40 cm. What is its perimeter in cm?', 90),
  number('math_07', 'sequences', 'Which number comes next: 4, 9, 19, 39, 79?', 159),
  number(
    'math_08',
    'percentages',
    'A coat costs 250 euros. Its price rises by 20 percent, and the new price then falls by 15 percent. What does it cost in the end, in euros?',
    255,
  ),
];
