import { severityOf } from '../era/legacy/legacy.ts';
import { lastMember, stringAt } from '../wire/lens.ts';
import { type NotificationMessage, paramsOf } from '../wire/message.ts';

export function severityOfMessage(message: NotificationMessage): number {
  return severityOf(stringAt(message.frame.text, lastMember(paramsOf(message), 'level')));
}
