import { jsonBytes, toBuffer } from '../wire/bytes.ts';
import { Frame } from '../wire/frame.ts';
import { type NotificationMessage, readMessage } from '../wire/message.ts';

/** Returns a log message of the gateway itself, for a client. */
export function warning(data: string): NotificationMessage {
  const params = { level: 'warning', logger: 'viaduct', data };
  const json = jsonBytes({ jsonrpc: '2.0', method: 'notifications/message', params });
  return readMessage(Frame.of(toBuffer(json))) as NotificationMessage;
}
