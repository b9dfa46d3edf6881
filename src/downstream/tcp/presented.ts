import { membersRemoved } from '../../wire/edits/object-edits.ts';
import type { Edit, Frame } from '../../wire/frame.ts';
import { lastMember, stringAt, typeOfByte } from '../../wire/lens.ts';
import { edited, type Message, metaIn, paramsOf } from '../../wire/message.ts';
import type { Member } from '../../wire/scanning/outline.ts';

/** The keys of `params._meta` under which the first request of a connection gives its credentials and its profile. */
export const AUTHORIZATION_KEY = 'viaduct/authorization';
export const PROFILE_KEY = 'viaduct/profile';

const KEYS: ReadonlySet<string> = new Set([AUTHORIZATION_KEY, PROFILE_KEY]);

/** Credentials and wishes that a client presents with its first message. */
export interface Presented {
  /** The token, in the form of an `Authorization` header. */
  readonly authorization: string | undefined;
  /** `undefined` if it names none; empty if it names none that there can be. */
  readonly profile: string | undefined;
}

const NOTHING: Presented = { authorization: undefined, profile: undefined };

/** Reads what a request presents; other messages present nothing. */
export function presentedIn(message: Message): Presented {
  if (message.kind !== 'request') return NOTHING;
  const { frame } = message;
  const meta = metaIn(frame, paramsOf(message));
  const profile = lastMember(meta, PROFILE_KEY);
  return {
    authorization: stringAt(frame.text, lastMember(meta, AUTHORIZATION_KEY)),
    profile: profile === undefined ? undefined : (stringAt(frame.text, profile) ?? ''),
  };
}

/** Returns the message as it may be passed on: without what is for the gateway alone. */
export function withoutPresented(message: Message): Message {
  if (message.kind !== 'request' && message.kind !== 'notification') return message;
  const { frame } = message;
  // If a key occurs twice, the reader sees only the last member, but both would be passed on.
  const metas = paramsOf(message).filter((member) => isMeta(frame, member));
  return edited(
    message,
    metas.flatMap((meta) => removal(frame, meta)),
  );
}

function isMeta(frame: Frame, { key, start }: Member): boolean {
  return key === '_meta' && typeOfByte(frame.byteAt(start)) === 'object';
}

function removal(frame: Frame, meta: Member): Edit[] {
  return membersRemoved(frame.membersOf(meta), ({ key }) => KEYS.has(key));
}
