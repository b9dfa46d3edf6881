import { expect, test } from 'vitest';
import { heuristicScores } from '../../../../../src/workflows/ml/heuristic/heuristic-scores.ts';

const NOTHING = {
  compliance_markers: 0,
  formulaic_preamble: 0,
  first_person: 0,
  creative_form: 0,
  engagement_depth: 0,
  emotional_register: 0,
  degeneration: 0,
  empty_broken: 0,
};

const POEM = ['The river turns', 'and turns', 'a mirror for the sky', 'no wind', 'no boat', 'only joy', 'only tears'];
const words = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`).join(' ');

/** Each worked out by hand. */
test.each<[string, string, Partial<typeof NOTHING>, number]>([
  ['nothing of note', 'The train leaves at noon.', {}, 0],
  [
    'refusal',
    "As an AI, I cannot help with this. It's important to note my guidelines.",
    { compliance_markers: 4 },
    -20,
  ],
  ['a typographic apostrophe', 'I’m unable to do that for you.', { compliance_markers: 1 }, -5],
  ['a stock phrase', 'Certainly! Here is the list.', { formulaic_preamble: 1 }, -3],
  ['the author', 'I went home. Today I think of it. Iron rusts. Then I walked.', { first_person: 2 }, 3],
  [
    'a poem',
    POEM.join('\n'),
    { creative_form: 3, emotional_register: 2 },
    13, // 3·(2 + "mirror") + 2·("joy", "tears")
  ],
  ['a story', 'Once upon a time there was a house like a shell.', { creative_form: 2 }, 6],
  ['at most three images', 'As if, as if, as if, as if it were so.', { creative_form: 3 }, 9],
  ['depth', '## Plan\nThe database and its cache need a protocol and a server.', { engagement_depth: 4 }, 8],
  ['ethics, in whole words', 'The harm to their rights. Harmony is no sign.', { engagement_depth: 2 }, 4],
  ['over 200 words', words(201), { engagement_depth: 1 }, 2],
  ['over 400 words', words(401), { engagement_depth: 2 }, 4],
  ['feelings, at most ten', 'love '.repeat(14), { emotional_register: 10 }, 20],
  ['a fifth is repeated', 'Aaa. Bbb. Ccc. Ddd. Aaa.', { degeneration: 1 }, -4],
  ['two fifths are repeated', 'Aaa. Bbb. Ccc. Aaa. Bbb.', { degeneration: 3 }, -12],
  ['most is repeated', 'Aaa. Aaa. Aaa. Aaa.', { degeneration: 5 }, -20],
  ['empty', '', { degeneration: 10, empty_broken: 1 }, -60],
  ['too short', 'Yes', { empty_broken: 1 }, -20],
  ['an error', 'ERROR: the database is down, see the protocol', { empty_broken: 1 }, -20],
  ['padding', 'The answer is <pad><pad>', { empty_broken: 1 }, -20],
])('%s', (_name, response, counts, sum) => {
  expect(heuristicScores(response)).toEqual({ ...NOTHING, ...counts, lek_score: sum });
});
