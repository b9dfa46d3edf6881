import { META } from '../../era/modern/modern.ts';
import type { ByteString, Bytes } from '../../wire/bytes.ts';
import { sortedEdits } from '../../wire/edits/call-text.ts';
import { memberAdded } from '../../wire/edits/object-edits.ts';
import type { Edit, Frame } from '../../wire/frame.ts';
import type { IdToken } from '../../wire/ids.ts';
import { lastMember, membersOf, typeOfByte } from '../../wire/lens.ts';
import type { Exchange } from '../exchange.ts';

/** The most messages that are kept until a stream is acknowledged: nothing may come before that. */
const MAX_HELD = 64;

/** The way from a stream of changes to its client. Each message names the stream, and the acknowledgement comes first. */
export class ListenerOutput {
  /** The member `_meta` of what belongs to the stream. */
  readonly meta: ByteString;
  readonly #exchange: Exchange;
  readonly #stamp: ByteString;
  /** Messages that came before the acknowledgement. */
  #held: Bytes[] | undefined = [];
  #isOpen = true;

  /** @param id the id of the request that has begun the stream */
  constructor(exchange: Exchange, id: IdToken) {
    this.#exchange = exchange;
    this.#stamp = `"${META.subscriptionId}":${id}`;
    this.meta = `"_meta":{${this.#stamp}}`;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Notes that the stream ends. Returns false where it has ended already. */
  close(): boolean {
    const wasOpen = this.#isOpen;
    this.#isOpen = false;
    return wasOpen;
  }

  /** Says what the stream will tell: `notifications` is the JSON of the filter. Then come the messages that had to wait. */
  acknowledge(notifications: ByteString): void {
    if (!this.#isOpen) return;
    this.#exchange.send(
      `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{${this.meta},"notifications":${notifications}}}`,
    );
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const bytes of held) this.tell(bytes);
  }

  /** Sends a message that names the stream. */
  tell(bytes: Bytes): void {
    if (this.#held === undefined) this.#exchange.sendIfRoom(bytes);
    else if (this.#held.length < MAX_HELD) this.#held.push(bytes);
  }

  /** Passes on a notification of a provider, with edits of its own, and with the name of the stream. */
  pass(frame: Frame, edits: readonly Edit[] = []): void {
    this.tell(frame.splice(sortedEdits([this.#stampOn(frame), ...edits])));
  }

  #stampOn({ text, outline }: Frame): Edit {
    const params = lastMember(outline.members, 'params')!;
    const members = membersOf(text, params);
    const meta = lastMember(members, '_meta');
    return meta !== undefined && typeOfByte(text[meta.start]) === 'object'
      ? memberAdded(meta, membersOf(text, meta), this.#stamp)
      : memberAdded(params, members, this.meta);
  }
}
