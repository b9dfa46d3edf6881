import { ownId } from '../wire/ids.ts';
import { lastMember, membersOf, rawText, typeOfByte } from '../wire/lens.ts';
import { edited, type NotificationMessage, paramsOf } from '../wire/message.ts';
import { membersRemoved } from '../wire/object-edits.ts';
import type { Member } from '../wire/scanner.ts';
import { META } from './modern.ts';
import { hasTasks } from './tasks.ts';

/** What a stream of changes may tell (2026-07-28, "Subscriptions", "Notification Filter"). */
export interface ListenFilter {
  readonly toolsListChanged?: true;
  readonly promptsListChanged?: true;
  readonly resourcesListChanged?: true;
  readonly resourceSubscriptions?: readonly string[];
  /** Of the extension for tasks ("Task Status Notifications"). */
  readonly taskIds?: readonly string[];
}

/** What somebody wants to hear of besides lists. */
export interface Wanted {
  readonly uris: readonly string[];
  readonly taskIds: readonly string[];
}

type Capabilities = Readonly<Record<string, unknown>>;

/** All that a server can tell and somebody wants to hear; `undefined` where that is nothing. */
export function listenFilter(capabilities: Capabilities, { uris, taskIds }: Wanted): ListenFilter | undefined {
  const announces = (kind: string) => flagOf(capabilities[kind], 'listChanged');
  const filter: ListenFilter = {
    ...(announces('tools') && { toolsListChanged: true }),
    ...(announces('prompts') && { promptsListChanged: true }),
    ...(announces('resources') && { resourcesListChanged: true }),
    ...(uris.length > 0 && canSubscribe(capabilities) && { resourceSubscriptions: uris }),
    ...(taskIds.length > 0 && hasTasks('modern', capabilities) && { taskIds }),
  };
  return Object.keys(filter).length === 0 ? undefined : filter;
}

/** Whether a server tells of changes of single resources. */
export function canSubscribe(capabilities: Capabilities): boolean {
  return flagOf(capabilities.resources, 'subscribe');
}

function flagOf(capability: unknown, flag: string): boolean {
  return typeof capability === 'object' && capability !== null && (capability as Capabilities)[flag] === true;
}

/** Which `subscriptions/listen` request of ours a notification belongs to, where it says so. */
export function subscriptionOf(message: NotificationMessage): number | undefined {
  const id = lastMember(metaOf(message), META.subscriptionId);
  return id === undefined ? undefined : ownId(rawText(message.frame.text, id));
}

/** The notification without the name of its stream: a legacy client has none, another stream has another. */
export function unstamped(message: NotificationMessage): NotificationMessage {
  const meta = metaOf(message);
  const isStamp = ({ key }: Member) => key === META.subscriptionId;
  if (!meta.some(isStamp)) return message;
  const edits = meta.every(isStamp)
    ? membersRemoved(paramsOf(message), ({ key }) => key === '_meta')
    : membersRemoved(meta, isStamp);
  return edited(message, edits);
}

function metaOf(message: NotificationMessage): readonly Member[] {
  const { text } = message.frame;
  const meta = lastMember(paramsOf(message), '_meta');
  return meta !== undefined && typeOfByte(text[meta.start]) === 'object' ? membersOf(text, meta) : [];
}
