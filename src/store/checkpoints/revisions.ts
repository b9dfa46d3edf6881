import type { JsonObject } from '../../core/stores/checkpoint-store.ts';
import { WorkTurns } from '../../core/timing/work-turns.ts';
import { type MemberTexts, objectText } from './member-texts.ts';
import { pack, unpack } from './packed.ts';
import { type Step, stepBetween, takeStep } from './step.ts';
import { parsed, pauseAfter, textsOf } from './turns-of-work.ts';

/** One revision of this many is kept whole, so that the way back to an old one is short. */
const WHOLE_EVERY = 64;

/** The form of a revision that is no longer the newest: whole, or as the step back from the one that follows it. */
export interface KeptRevision {
  readonly form: string;
  readonly body: Uint8Array;
}

/** A revision makes place for the one that follows it. */
export async function keepRevision(
  revision: number,
  members: MemberTexts,
  following: MemberTexts,
): Promise<KeptRevision> {
  const step = JSON.stringify(stepBetween(following, members));
  const whole = objectText(members);
  await pauseAfter(whole);
  if (revision % WHOLE_EVERY === 0 || step.length >= whole.length) return { form: 'whole', body: await pack(whole) };
  return { form: 'step', body: await pack(step) };
}

/** Goes back from a complete revision over those that were kept before it, the newest first. */
export async function goBack(from: JsonObject, kept: readonly KeptRevision[]): Promise<JsonObject> {
  let members: MemberTexts = await textsOf(from);
  const turns = new WorkTurns();
  for (const { form, body } of kept) {
    const text = await unpack(body);
    members = form === 'whole' ? await textsOf(await parsed(text)) : takeStep(members, JSON.parse(text) as Step);
    if (turns.isOver) await turns.pass();
  }
  return parsed(objectText(members));
}
