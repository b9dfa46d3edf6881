import { expect, test } from 'vitest';
import type { AskingGrade } from '../../../../../src/core/providers/provider-status.ts';
import type { ListingCache } from '../../../../../src/core/stores/listing-cache.ts';
import { AskingTrait } from '../../../../../src/upstream/events/asks/asking-trait.ts';
import { entryOf } from '../../entries.ts';

function open(before?: AskingGrade) {
  const saved: AskingGrade[] = [];
  const cache = { loadAsking: () => before, saveAsking: (_entry: unknown, grade: AskingGrade) => saved.push(grade) };
  return { trait: new AskingTrait(entryOf(), cache as unknown as ListingCache), saved };
}

test('an upstream that asks for named calls only stays one that does, until it asks for none', () => {
  const { trait, saved } = open();
  expect([trait.grade, trait.isUnnamed]).toEqual([undefined, false]);
  trait.note(true);
  trait.note(true);
  expect([trait.grade, trait.isUnnamed, saved]).toEqual(['named', false, ['named']]);
  trait.note(false);
  trait.note(true);
  trait.note(false);
  expect([trait.grade, trait.isUnnamed, saved]).toEqual(['unnamed', true, ['named', 'unnamed']]);
});

test('how an upstream asked in an earlier run is known, and is not saved again', () => {
  const { trait, saved } = open('unnamed');
  trait.note(true);
  expect([trait.isUnnamed, saved]).toEqual([true, []]);
});
