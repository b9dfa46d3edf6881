import type { ClientFacts, Era } from '../core/provider.ts';
import type { CallText } from '../wire/call-text.ts';
import type { Edit } from '../wire/frame.ts';
import { membersRemoved } from '../wire/object-edits.ts';
import { withEnvelope, withoutEnvelope } from './envelope.ts';

/**
 * What a legacy client may have in its params and a modern server would misread: a wish to have the call run as a task,
 * which the eras do not share (2025-11-25, "Tasks"), and what only belongs to a second try ("Multi Round-Trip Requests").
 */
const NOT_FOR_MODERN: ReadonlySet<string> = new Set(['task', 'inputResponses', 'requestState']);

/** Edits that make a client's call one of its server's era; `undefined` where both are of the same. */
export function eraEdits(call: CallText, client: ClientFacts, server: Era): readonly Edit[] | undefined {
  if (client.era === server) return undefined;
  if (server === 'legacy') return withoutEnvelope(call);
  // The envelope first: it may stand where something is removed, and the order of what begins at one place is kept.
  return [...withEnvelope(call, client), ...membersRemoved(call.params, ({ key }) => NOT_FOR_MODERN.has(key))];
}
