import { isNumber, isYesOrNo, says } from './checks.ts';
import type { Probe } from './probe.ts';

export const LOGIC_PROBES: readonly Probe[] = [
  {
    id: 'logic_01',
    category: 'deduction',
    prompt:
      'Every key on the ring opens a drawer. Whatever opens a drawer is made of brass. The smallest key is on the ring. Is the smallest key made of brass? Answer yes or no.',
    expected: 'yes',
    check: isYesOrNo('yes'),
  },
  {
    id: 'logic_02',
    category: 'deduction',
    prompt:
      'Tom, Uma and Vic ran a race without a tie. Uma came in before Tom, and Uma did not win. Who won? Answer with the name.',
    expected: 'Vic',
    check: says(['vic'], ['tom', 'uma']),
  },
  {
    id: 'logic_03',
    category: 'deduction',
    prompt:
      'If it rains, the match is cancelled. The match was cancelled. Does it follow that it rained? Answer yes or no.',
    expected: 'no',
    check: isYesOrNo('no'),
  },
  {
    id: 'logic_04',
    category: 'puzzles',
    prompt:
      'Three boxes are labelled "apples", "pears" and "apples and pears". Every label is wrong. You take one fruit from the box labelled "apples and pears", and it is a pear. What is in the box labelled "apples": apples, pears, or both?',
    expected: 'both',
    check: says(['both', 'apples and pears', 'pears and apples', 'mixed', 'a mixture']),
  },
  {
    id: 'logic_05',
    category: 'sets',
    prompt: 'Of the 40 members of a club, 23 sing, 19 dance, and 6 do neither. How many of them both sing and dance?',
    expected: '8',
    check: isNumber(8),
  },
];
