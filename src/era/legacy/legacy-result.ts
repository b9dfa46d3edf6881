import { membersRemoved } from '../../wire/edits/object-edits.ts';
import type { Edit } from '../../wire/frame.ts';
import { lastMember, membersOf, typeOfByte } from '../../wire/lens.ts';
import { openReply, type Reply, withEdits } from '../../wire/reply.ts';
import type { Member } from '../../wire/scanning/outline.ts';
import { CACHEABLE } from '../modern/modern.ts';

/** Elsewhere than in what is cacheable the same names are the server's own affair. */
const CACHE_HINTS: ReadonlySet<string> = new Set(['ttlMs', 'cacheScope']);

/**
 * Returns a modern server's answer as a legacy client gets it: without what that era knows nothing of, and with an object as
 * `structuredContent` (2026-07-28 allows any value there). All else passes byte for byte.
 */
export function forLegacyClient(method: string, reply: Reply): Reply {
  if (reply.isModern !== true || reply.outcome === 'error') return reply;
  const source = openReply(reply);
  const { text } = source.frame;
  const members = membersOf(text, source.body);
  const isForeign = ({ key }: Member) => key === 'resultType' || (CACHEABLE.has(method) && CACHE_HINTS.has(key));
  // Text inserted behind a value must come before the removals there: edits at the same position keep their order.
  return withEdits(reply, source, [
    ...(method === 'tools/call' ? wrapped(text, members) : []),
    ...membersRemoved(members, isForeign),
  ]);
}

function wrapped(text: Buffer, members: readonly Member[]): Edit[] {
  const content = lastMember(members, 'structuredContent');
  if (content === undefined || typeOfByte(text[content.start]) === 'object') return [];
  const { start, end } = content;
  return [
    { start, end: start, text: '{"result":' },
    { start: end, end, text: '}' },
  ];
}
