import { asObject } from '../../core/json/as-object.ts';
import { membersRemoved } from '../../wire/edits/object-edits.ts';
import { echoedId } from '../../wire/ids.ts';
import { lastMember, rawText, typeOfByte, valueAt } from '../../wire/lens.ts';
import { edited, metaIn, type NotificationMessage, paramsOf, type RequestMessage } from '../../wire/message.ts';
import type { Member } from '../../wire/scanning/outline.ts';
import { hasTasks } from '../tasks.ts';
import { META } from './modern.ts';

/** The changes that a stream may report (2026-07-28, "Subscriptions", "Notification Filter"). */
export interface ListenFilter {
  readonly toolsListChanged?: boolean;
  readonly promptsListChanged?: boolean;
  readonly resourcesListChanged?: boolean;
  readonly resourceSubscriptions?: readonly string[];
  /** The tasks to report, part of the tasks extension ("Task Status Notifications"). */
  readonly taskIds?: readonly string[];
}

const MAX_NAMED = 1_000;

/** The flag of a filter for each list. */
export const FLAG_OF = {
  tools: 'toolsListChanged',
  prompts: 'promptsListChanged',
  resources: 'resourcesListChanged',
} as const;

/** Returns the filter of a `subscriptions/listen` request, or what is wrong with it. */
export function readFilter(message: RequestMessage): ListenFilter | string {
  const span = lastMember(paramsOf(message), 'notifications');
  if (span === undefined || typeOfByte(message.frame.text[span.start]) !== 'object')
    return '"params.notifications" must be an object';
  const given = valueAt(message.frame.text, span) as Record<string, unknown>;
  for (const flag of Object.values(FLAG_OF))
    if (given[flag] !== undefined && typeof given[flag] !== 'boolean')
      return `"params.notifications.${flag}" must be true or false`;
  return namesProblem(given, 'resourceSubscriptions') ?? namesProblem(given, 'taskIds') ?? (given as ListenFilter);
}

function namesProblem(given: Readonly<Record<string, unknown>>, key: string): string | undefined {
  const names = given[key];
  if (names === undefined) return undefined;
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string'))
    return `"params.notifications.${key}" must be an array of strings`;
  return names.length > MAX_NAMED ? `"params.notifications.${key}" may have ${MAX_NAMED} entries` : undefined;
}

/** The resources and tasks that clients want to be notified about, in addition to lists. */
export interface Wanted {
  readonly uris: readonly string[];
  readonly taskIds: readonly string[];
}

type Capabilities = Readonly<Record<string, unknown>>;

/**
 * Returns the filter of all changes that a server can report and a client wants to hear about; `undefined` if there are
 * none.
 */
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

/** Returns true if a server reports changes of single resources. */
export function canSubscribe(capabilities: Capabilities): boolean {
  return flagOf(capabilities.resources, 'subscribe');
}

function flagOf(capability: unknown, flag: string): boolean {
  return typeof capability === 'object' && capability !== null && (capability as Capabilities)[flag] === true;
}

/** Returns the id of our `subscriptions/listen` request that a notification belongs to, if it says so. */
export function subscriptionOf(message: NotificationMessage): number | undefined {
  const { frame } = message;
  const id = lastMember(metaIn(frame, paramsOf(message)), META.subscriptionId);
  return id === undefined ? undefined : echoedId(rawText(frame.text, id));
}

/**
 * Returns the resources that a server's acknowledgement agrees to report; `undefined` if it has no filter at all
 * (2026-07-28, "Subscriptions", "Acknowledgement").
 */
export function acknowledgedUris(message: NotificationMessage): ReadonlySet<string> | undefined {
  const span = lastMember(paramsOf(message), 'notifications');
  if (span === undefined) return undefined;
  const { resourceSubscriptions } = asObject(valueAt(message.frame.text, span));
  return new Set(Array.isArray(resourceSubscriptions) ? resourceSubscriptions : []);
}

/** Returns the notification without the name of its stream: a legacy client has none, another stream has another. */
export function unstamped(message: NotificationMessage): NotificationMessage {
  const params = paramsOf(message);
  const meta = metaIn(message.frame, params);
  const isStamp = ({ key }: Member) => key === META.subscriptionId;
  if (!meta.some(isStamp)) return message;
  const edits = meta.every(isStamp)
    ? membersRemoved(params, ({ key }) => key === '_meta')
    : membersRemoved(meta, isStamp);
  return edited(message, edits);
}
