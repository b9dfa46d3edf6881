import pino from 'pino';
import { escapeInvisible } from '../core/clean-text.ts';
import { openLogFile } from './log-file.ts';

export type LogLevel = 'silent' | 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';

/** The logger of the whole process. Fields first, then the message, as pino has it. */
export type Log = pino.Logger;

export interface LogOptions {
  readonly level: LogLevel;
  /** Where lines go; standard error unless a test wants to read them. */
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
      serializers: { error: pino.stdSerializers.err },
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

/** Lines that cannot be written wait for room; beyond so many characters they are left out. */
const MAX_UNWRITTEN = 4 * 1024 * 1024;

/** A log that cannot be written (it goes to a file, and the disk is full) is no reason to end. */
function standardError(): pino.DestinationStream {
  const destination = pino.destination({ fd: 2, sync: true, maxLength: MAX_UNWRITTEN });
  destination.on('error', () => undefined);
  return destination;
}

/** Texts of peers come into fields, and a peer may write a megabyte. */
const MAX_FIELD = 4_096;

function withoutLongTexts(fields: Record<string, unknown>): Record<string, unknown> {
  const isLong = (value: unknown) => typeof value === 'string' && value.length > MAX_FIELD;
  if (!Object.values(fields).some(isLong)) return fields;
  const cut = ([key, value]: [string, unknown]) => [
    key,
    isLong(value) ? `${(value as string).slice(0, MAX_FIELD)}… (${(value as string).length} characters)` : value,
  ];
  return Object.fromEntries(Object.entries(fields).map(cut));
}

const MIN_SECRET = 6;
const MASK = '[secret]';

/** Replaces known secrets in text, also in the forms in which they travel: URL-encoded, base64, hex, JSON-escaped. */
export class Masker {
  readonly #forms = new Set<string>();
  #pattern: RegExp | undefined;

  /** Registers a secret; short values are left alone, because replacing them would garble every line. */
  add(secret: string): void {
    if (secret.length < MIN_SECRET) return;
    for (const form of formsOf(secret)) this.#forms.add(form);
    this.#pattern = undefined;
  }

  /** The secret is one no more. */
  remove(secret: string): void {
    for (const form of formsOf(secret)) this.#forms.delete(form);
    this.#pattern = undefined;
  }

  mask(text: string): string {
    if (this.#forms.size === 0) return text;
    this.#pattern ??= new RegExp(
      [...this.#forms]
        .sort((a, b) => b.length - a.length)
        .map(escapeRegExp)
        .join('|'),
      'g',
    );
    return text.replace(this.#pattern, MASK);
  }
}

function formsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const percent = encodeURIComponent(secret.toWellFormed());
  return [
    secret,
    json,
    // A JSON text inside a JSON text: a line of an upstream's log in ours.
    JSON.stringify(json).slice(1, -1),
    percent,
    percent.replaceAll(/%../g, (byte) => byte.toLowerCase()),
    percent.replaceAll('%20', '+'),
    Buffer.from(secret, 'utf8').toString('hex'),
    Buffer.from(secret, 'utf8').toString('base64'),
    ...base64Forms(Buffer.from(secret, 'utf8')),
  ];
}

/** As base64 the secret looks different after one, two or three other bytes, as in `Basic <user:secret>`. */
function base64Forms(secret: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), secret])
      .toString('base64')
      .replaceAll('=', '');
    // Characters that also carry bits of a neighbour are left out.
    const tail = (before + secret.length) % 3 === 0 ? text.length : text.length - 1;
    const form = text.slice(before === 0 ? 0 : before + 1, tail);
    const forms = before === 0 ? [text, form] : [form];
    return forms
      .filter(({ length }) => length >= MIN_SECRET)
      .flatMap((whole) => [whole, whole.replaceAll('+', '-').replaceAll('/', '_')]);
  });
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
