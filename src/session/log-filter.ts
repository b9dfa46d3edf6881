import { LOG_LEVELS } from '../era/legacy.ts';
import { lastMember, stringAt } from '../wire/lens.ts';
import { type NotificationMessage, paramsOf } from '../wire/message.ts';

/** How severe a level is, from 0 for `debug`; -1 for what is no level. */
export function severityOf(level: unknown): number {
  return (LOG_LEVELS as readonly unknown[]).indexOf(level);
}

export function severityOfMessage(message: NotificationMessage): number {
  return severityOf(stringAt(message.frame.text, lastMember(paramsOf(message), 'level')));
}
