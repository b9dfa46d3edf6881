import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/core/stores/checkpoint-store.ts';
import { atOnce } from '../../../../src/core/timing/steps.ts';
import { memberTexts } from '../../../../src/store/checkpoints/member-texts.ts';
import { pack, packQuickly, unpack } from '../../../../src/store/checkpoints/packed.ts';
import { goBack, keepRevision } from '../../../../src/store/checkpoints/revisions.ts';

const textsOf = (object: JsonObject) => atOnce(memberTexts(object));

const LONG = 'a long text that stays the same from one revision to the next one '.repeat(5);
const OLD = { same: LONG, a: 1, gone: true };
const NEW = { same: LONG, a: 2, added: [1, 2] };

test('a revision is kept as the step back where that is shorter, and each 64th whole', async () => {
  const [old, next] = [textsOf(OLD), textsOf(NEW)];
  expect((await keepRevision(63, old, next)).form).toBe('step');
  expect((await keepRevision(64, old, next)).form).toBe('whole');
  expect((await keepRevision(65, textsOf({ a: 1 }), next)).form).toBe('whole');
});

test('the way back leads over steps and whole revisions', async () => {
  const oldest = { same: LONG, b: 'before all' };
  const kept = [
    await keepRevision(3, textsOf(OLD), textsOf(NEW)),
    await keepRevision(64, textsOf(oldest), textsOf(OLD)),
  ];
  expect(await goBack(NEW, kept.slice(0, 1))).toEqual(OLD);
  expect(await goBack(NEW, kept)).toEqual(oldest);
  expect(await goBack(NEW, [])).toEqual(NEW);
});

test.each([10, 256 * 1024 - 1, 256 * 1024 + 1])('a text of %d characters is packed and unpacked', async (length) => {
  const text = 'é'.repeat(length);
  expect(await unpack(await pack(text))).toBe(text);
  expect(await unpack(await packQuickly(text))).toBe(text);
});
