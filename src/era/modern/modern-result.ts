import type { ByteString } from '../../wire/bytes.ts';
import { edit } from '../../wire/edits/call-text.ts';
import { memberAdded } from '../../wire/edits/object-edits.ts';
import type { Edit } from '../../wire/frame.ts';
import { lastMember, membersOf, rawText, typeOfByte } from '../../wire/lens.ts';
import { openReply, type Reply, withEdits } from '../../wire/reply.ts';
import type { Member } from '../../wire/scanning/outline.ts';
import { CACHEABLE, META } from './modern.ts';

/** `resultType` of an answer that needs no more of its client. */
const COMPLETE = '"resultType":"complete"';

/** Lists change whenever an upstream comes or goes, and a client hears about it: nothing must be cached (2026-07-28, "Caching"). */
const UNCACHED = { ttlMs: '"ttlMs":0', cacheScope: '"cacheScope":"private"' } as const;

/** -32002 was "resource not found" until 2026-07-28 ("Error Codes"). */
const RETIRED_CODES: ReadonlyMap<string, string> = new Map([['-32002', '-32602']]);

/**
 * Returns an answer as a modern client gets it: a legacy server's says of what type it is and for how long it may be kept, and a
 * result names the server, where `serverInfo` is given and the answer names none. All else passes byte for byte.
 */
export function forModernClient(method: string, reply: Reply, serverInfo: ByteString | undefined): Reply {
  if (reply.outcome === 'error') return withCurrentCode(reply);
  if (reply.isModern === true && serverInfo === undefined) return reply;
  const source = openReply(reply);
  const { text } = source.frame;
  const members = membersOf(text, source.body);
  const meta = metaEdits(text, members, serverInfo);
  // A legacy server's own `resultType` means something else, if anything.
  const types = reply.isModern === true ? [] : members.filter(({ key }) => key === 'resultType');
  const front = reply.isModern === true ? [] : cacheHints(method, members);
  if (reply.isModern !== true && types.length === 0) front.unshift(COMPLETE);
  if (meta.front !== undefined) front.push(meta.front);
  return withEdits(reply, source, [
    ...(front.length === 0 ? [] : [memberAdded(source.body, members, front.join(','))]),
    ...types.map((type) => edit(type, '"complete"')),
    ...meta.edits,
  ]);
}

/** Returns the members that are in front of a list's entries. */
export function listHead(serverInfo: ByteString | undefined): ByteString {
  const meta = serverInfo === undefined ? '' : `,"_meta":{${serverInfoMember(serverInfo)}}`;
  return `${COMPLETE},${UNCACHED.ttlMs},${UNCACHED.cacheScope}${meta}`;
}

function cacheHints(method: string, members: readonly Member[]): ByteString[] {
  if (!CACHEABLE.has(method)) return [];
  return Object.entries(UNCACHED).flatMap(([key, hint]) => (lastMember(members, key) === undefined ? [hint] : []));
}

function serverInfoMember(serverInfo: ByteString): ByteString {
  return `"${META.serverInfo}":${serverInfo}`;
}

function metaEdits(
  text: Buffer,
  members: readonly Member[],
  serverInfo: ByteString | undefined,
): { readonly front?: ByteString; readonly edits: readonly Edit[] } {
  if (serverInfo === undefined) return { edits: [] };
  const meta = lastMember(members, '_meta');
  if (meta === undefined) return { front: `"_meta":{${serverInfoMember(serverInfo)}}`, edits: [] };
  if (typeOfByte(text[meta.start]) !== 'object') return { edits: [] };
  const inside = membersOf(text, meta);
  if (lastMember(inside, META.serverInfo) !== undefined) return { edits: [] };
  return { edits: [memberAdded(meta, inside, serverInfoMember(serverInfo))] };
}

function withCurrentCode(reply: Reply): Reply {
  const source = openReply(reply);
  const { text } = source.frame;
  if (typeOfByte(text[source.body.start]) !== 'object') return reply;
  const code = lastMember(membersOf(text, source.body), 'code');
  const current = code === undefined ? undefined : RETIRED_CODES.get(rawText(text, code));
  return current === undefined ? reply : withEdits(reply, source, [edit(code!, current)]);
}
