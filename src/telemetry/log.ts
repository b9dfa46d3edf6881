import pino from 'pino';
import { cutText, escapeInvisible } from '../core/text/clean-text.ts';
import { openLogFile } from './log-file.ts';
import { Masker } from './masker.ts';

export type LogLevel = 'silent' | 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';

/** The logger of the whole process. Fields first, then the message, as pino has it. */
export type Log = pino.Logger;

export interface LogOptions {
  readonly level: LogLevel;
  /** Receives the lines; standard error unless a test wants to read them. */
  readonly destination?: pino.DestinationStream;
  /** A file that gets the same lines. */
  readonly file?: string | undefined;
  readonly masker?: Masker;
}

/**
 * One JSON line an event, on standard error: standard output belongs to the protocol.
 * @throws the system's error when `file` cannot be opened
 */
export function createLog(options: LogOptions): Log {
  const destination = options.destination ?? standardError();
  const masker = options.masker ?? new Masker();
  const file = options.file === undefined ? undefined : openLogFile(options.file, onFileFault);
  const log = pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { error: shownError, err: shownError },
      formatters: { log: withoutLongTexts },
    },
    {
      write: (line: string) => {
        const masked = escapeInvisible(masker.mask(line));
        destination.write(masked);
        file?.write(masked);
      },
    },
  );
  function onFileFault(error: unknown): void {
    log.error({ event: 'log-file', file: options.file, err: error }, 'lines of the log cannot be written to its file');
  }
  return log;
}

/** The number of characters of lines that wait to be written. Further lines are left out. */
const MAX_UNWRITTEN = 4 * 1024 * 1024;

/** A log that cannot be written (it goes to a file, and the disk is full) is no reason to end. */
function standardError(): pino.DestinationStream {
  const destination = pino.destination({ fd: 2, sync: true, maxLength: MAX_UNWRITTEN });
  destination.on('error', () => undefined);
  return destination;
}

/** Texts of peers come into fields, and a peer may write a megabyte. */
const MAX_FIELD = 4_096;

/** Errors often repeat what a peer said. */
function shownError(error: Error): unknown {
  const shown: unknown = pino.stdSerializers.err(error);
  return typeof shown === 'object' && shown !== null ? withoutLongTexts({ ...shown }) : shown;
}

function withoutLongTexts(fields: Record<string, unknown>): Record<string, unknown> {
  const isLong = (value: unknown) => typeof value === 'string' && value.length > MAX_FIELD;
  if (!Object.values(fields).some(isLong)) return fields;
  const cut = ([key, value]: [string, unknown]) => [
    key,
    isLong(value) ? `${cutText(value as string, MAX_FIELD)} (${(value as string).length} characters)` : value,
  ];
  return Object.fromEntries(Object.entries(fields).map(cut));
}
