import type { Provider } from '../../../../src/core/providers/provider.ts';
import { LegacyIntroduction } from '../../../../src/session/legacy/introduction.ts';
import { ClientLogLevel } from '../../../../src/session/legacy/log-level.ts';
import { Questions } from '../../../../src/session/legacy/questions.ts';
import type { SessionOptions } from '../../../../src/session/session-host.ts';
import { type Bytes, toBuffer } from '../../../../src/wire/bytes.ts';
import type { NotificationMessage } from '../../../../src/wire/message.ts';
import { read } from '../modern-setup.ts';

/** A provider that notes what it is told of log levels. */
export function levelled(told: string[], id: string): Provider {
  return { id, setLogLevel: (session: string, level: string) => told.push(`${id} ${session} ${level}`) } as never;
}

export const logMessage = (level: string) =>
  read<NotificationMessage>(
    JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level, data: 1 } }),
  );

/** The parts of a legacy client; `sent` is what it got that belongs to no request. */
export function legacyParts(options: Partial<SessionOptions> = {}, providers: readonly Provider[] = []) {
  const sent: string[] = [];
  const catalogue = { providers };
  const output = (bytes: Bytes) => void sent.push(toBuffer(bytes).toString());
  const introduction = new LegacyIntroduction(
    { id: 's', transport: 'test', profile: undefined, folderRule: undefined, output, ...options },
    undefined,
  );
  const logLevel = new ClientLogLevel('s', catalogue, introduction);
  const isListening = options.isListening ?? (() => true);
  const questions = new Questions({ introduction, logLevel, output, isListening });
  return { sent, catalogue, output, introduction, logLevel, isListening, questions };
}
