import { isNumber, says } from './checks.ts';
import type { Probe } from './probe.ts';

export const CODE_PROBES: readonly Probe[] = [
  {
    id: 'code_01',
    category: 'code',
    prompt: `What does this Python program print?

total = 0
for n in range(1, 10):
    if n % 3 == 0:
        continue
    total += n
print(total)`,
    expected: '27',
    check: isNumber(27),
  },
  {
    id: 'code_02',
    category: 'code',
    prompt: `What is the value of this JavaScript expression?

[3, 1, 2].map((x, i) => x * i).reduce((a, b) => a + b, 10)`,
    expected: '15',
    check: isNumber(15),
  },
  {
    id: 'code_03',
    category: 'code',
    prompt: `What does f(5) return?

def f(n):
    if n < 2:
        return 1
    return f(n - 1) + 2 * f(n - 2)`,
    expected: '21',
    check: isNumber(21),
  },
];

export const WORD_PROBES: readonly Probe[] = [
  {
    id: 'word_01',
    category: 'word',
    prompt:
      'Rearrange all letters of "angel" into another English word, which is a term of geometry. Answer with the word.',
    expected: 'angle',
    check: says(['angle']),
  },
  {
    id: 'word_02',
    category: 'word',
    prompt: 'How often does the letter e occur in "the eleven secret letters"? Answer with a number.',
    expected: '8',
    check: isNumber(8),
  },
];
