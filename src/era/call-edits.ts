import type { ClientFacts, Era } from '../core/providers/provider.ts';
import type { CallText } from '../wire/edits/call-text.ts';
import { membersRemoved } from '../wire/edits/object-edits.ts';
import type { Edit } from '../wire/frame.ts';
import { OF_ONE_ERA, withEnvelope, withoutEnvelope } from './modern/envelope.ts';

/** Edits that make a client's call one of its server's era; `undefined` if both are of the same. */
export function eraEdits(call: CallText, client: ClientFacts, server: Era): readonly Edit[] | undefined {
  if (client.era === server) return undefined;
  if (server === 'legacy') return withoutEnvelope(call);
  // The envelope first: it may stand where something is removed, and the order of what begins at one place is kept.
  return [...withEnvelope(call, client), ...membersRemoved(call.params, ({ key }) => OF_ONE_ERA.has(key))];
}
