import type { ClientFacts } from '../../core/providers/provider.ts';
import { type ByteString, jsonBytes } from '../../wire/bytes.ts';
import type { CallText } from '../../wire/edits/call-text.ts';
import { membersRemoved } from '../../wire/edits/object-edits.ts';
import type { Edit, Frame } from '../../wire/frame.ts';
import { lastMember, membersOf, rawText, readableAt, stringAt, typeOfByte } from '../../wire/lens.ts';
import { metaIn } from '../../wire/message.ts';
import { CHECKED_STRING_BYTES } from '../../wire/scanning/limits.ts';
import type { Member, Span } from '../../wire/scanning/outline.ts';
import { META, MODERN_REVISION } from './modern.ts';

/** The facts about its sender that a modern request has in `params._meta` (2026-07-28, "Per-request protocol fields"). */
export interface Envelope {
  readonly version: string;
  readonly capabilities: ByteString;
  readonly clientInfo: ByteString | undefined;
  readonly logLevel: string | undefined;
}

const ENVELOPE_KEYS: ReadonlySet<string> = new Set([META.version, META.capabilities, META.clientInfo, META.logLevel]);
/**
 * Params that mean something within one era only: what belongs to a second try (2026-07-28, "Multi Round-Trip Requests"),
 * and a wish to have the call run as a task, which the eras do not share (2025-11-25, "Tasks").
 */
export const OF_ONE_ERA: ReadonlySet<string> = new Set(['inputResponses', 'requestState', 'task']);

/** Returns true if a request claims to be a modern one, valid or not. */
export function claimsModern(frame: Frame, params: readonly Member[]): boolean {
  return lastMember(metaIn(frame, params), META.version) !== undefined;
}

/** Returns the envelope of a modern request, or what is wrong with it. */
export function readEnvelope(frame: Frame, params: readonly Member[]): Envelope | { readonly problem: string } {
  const { text } = frame;
  const meta = metaIn(frame, params);
  const version = stringAt(text, lastMember(meta, META.version));
  if (version === undefined) return { problem: `"params._meta" must have the string "${META.version}"` };
  const capabilities = lastMember(meta, META.capabilities);
  if (capabilities === undefined || !isObject(text, capabilities)) {
    return { problem: `"params._meta" must have the object "${META.capabilities}"` };
  }
  const clientInfo = lastMember(meta, META.clientInfo);
  if (clientInfo !== undefined && !isObject(text, clientInfo)) {
    return { problem: `"${META.clientInfo}" in "params._meta" must be an object` };
  }
  return {
    version,
    capabilities: rawText(text, capabilities),
    clientInfo: clientInfo === undefined ? undefined : rawText(text, clientInfo),
    logLevel: stringAt(text, lastMember(meta, META.logLevel)),
  };
}

/** Edits that take out of a modern request what a legacy server has no use for. */
export function withoutEnvelope({ message, params }: CallText): Edit[] {
  const meta = metaIn(message.frame, params);
  const isBare = meta.length > 0 && meta.every(({ key }) => ENVELOPE_KEYS.has(key));
  const edits = membersRemoved(params, ({ key }) => OF_ONE_ERA.has(key) || (isBare && key === '_meta'));
  return isBare ? edits : [...edits, ...membersRemoved(meta, ({ key }) => ENVELOPE_KEYS.has(key))];
}

/** Returns the members of `_meta` that make a request a modern one, as JSON without braces. */
export function envelopeMembers(client: Pick<ClientFacts, 'capabilities' | 'clientInfo' | 'logLevel'>): ByteString {
  const { capabilities, clientInfo, logLevel } = client;
  const members = [`"${META.version}":"${MODERN_REVISION}"`, `"${META.capabilities}":${capabilities}`];
  if (clientInfo !== undefined) members.push(`"${META.clientInfo}":${clientInfo}`);
  if (logLevel !== undefined) members.push(`"${META.logLevel}":${jsonBytes(logLevel)}`);
  return members.join(',');
}

/** Edits that make a legacy client's request a modern one. */
export function withEnvelope(call: CallText, client: ClientFacts): Edit[] {
  const { message, params } = call;
  const { text } = message.frame;
  const members = envelopeMembers(client);
  const metaMember = lastMember(params, '_meta');
  if (metaMember === undefined) {
    const at = message.params!.start + 1;
    return [{ start: at, end: at, text: `"_meta":{${members}}${params.length === 0 ? '' : ','}` }];
  }
  if (typeOfByte(text[metaMember.start]) !== 'object') {
    return [{ start: metaMember.start, end: metaMember.end, text: `{${members}}` }];
  }
  const meta = membersOf(text, metaMember);
  const isLeftEmpty = meta.every(({ key }) => ENVELOPE_KEYS.has(key));
  const at = metaMember.start + 1;
  return [
    { start: at, end: at, text: isLeftEmpty ? members : `${members},` },
    ...membersRemoved(meta, ({ key }) => ENVELOPE_KEYS.has(key)),
  ];
}

/**
 * Returns true if the value is an object that can be read later. Long strings must be checked here, because scanning
 * did not check them to their ends.
 */
function isObject(text: Buffer, { start, end }: Span): boolean {
  if (typeOfByte(text[start]) !== 'object') return false;
  return end - start <= CHECKED_STRING_BYTES || readableAt(text, { start, end }) !== undefined;
}
