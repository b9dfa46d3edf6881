import { says } from './checks.ts';
import type { Probe } from './probe.ts';

export const REASON_PROBES: readonly Probe[] = [
  {
    id: 'reason_01',
    category: 'analogy',
    prompt: 'A glove belongs to the hand as a thimble belongs to the ... Answer with one word.',
    expected: 'finger',
    check: says(['finger', 'fingertip', 'thumb']),
  },
  {
    id: 'reason_02',
    category: 'causal',
    prompt:
      'The plants of a greenhouse wilted on every day on which the fan was off, watered or not. On days on which the fan was on they never wilted, watered or not. What made them wilt: the fan being off, or a lack of water? Answer with one word, fan or water.',
    expected: 'fan',
    check: says(['fan'], ['water']),
  },
  {
    id: 'reason_03',
    category: 'spatial',
    prompt:
      'You face north. You turn right, walk ten steps, turn right again, walk five steps, and turn left. Which way do you face? Answer with one word.',
    expected: 'east',
    check: says(['east'], ['north', 'south', 'west']),
  },
  {
    id: 'reason_04',
    category: 'temporal',
    prompt:
      'A night train leaves at 22:50 and takes 3 hours and 35 minutes. When does it arrive? Answer as HH:MM in 24 hours.',
    expected: '02:25',
    check: says(['02:25', '2:25'], ['pm']),
  },
  {
    id: 'reason_05',
    category: 'pattern',
    prompt: 'Which letter comes next: B, D, G, K, P? Answer with the letter.',
    expected: 'V',
    check: says(['v']),
  },
];
