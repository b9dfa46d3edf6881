import type { Protocol } from 'devtools-protocol/types/protocol.d.ts';
import type { CdpSession } from '../cdp/cdp-session.ts';
import { consoleText, thrownText } from './console-text.ts';
import { boundedText } from './page-text.ts';
import type { TargetFollower } from './targets.ts';

/** A line of the console (seed 001, WebviewConsoleMessage). */
export interface ConsoleMessage {
  /** The type as the DevTools protocol names it: log, warning, error, … */
  readonly type: string;
  readonly text: string;
  /** RFC 3339. */
  readonly timestamp: string;
  readonly url?: string;
  /** The first line of a file is 1. */
  readonly line?: number;
}

const MAX_MESSAGES = 1_000;
/** Limit for all messages together, in characters: an agent is to read them. */
const MAX_CHARACTERS = 300_000;
const MAX_TEXT = 10_000;
const MAX_URL = 2_000;

/** Keeps the newest messages of a page's console: with uncaught exceptions, and what the browser itself complains about. */
export class ConsoleLog implements TargetFollower {
  #messages: ConsoleMessage[] = [];
  #characters = 0;
  #heard = 0;

  /** Returns the messages that are kept, oldest first. */
  list(): readonly ConsoleMessage[] {
    return [...this.#messages];
  }

  clear(): void {
    this.#messages = [];
    this.#characters = 0;
  }

  async follow(session: CdpSession): Promise<void> {
    session.on('Runtime.consoleAPICalled', (event) => this.#add(session, calledMessage(event)));
    session.on('Runtime.exceptionThrown', (event) => this.#add(session, thrownMessage(event)));
    session.on('Log.entryAdded', ({ entry }) => this.#add(session, browserMessage(entry)));
    await Promise.all([session.send('Runtime.enable'), session.send('Log.enable')]);
  }

  #add(session: CdpSession, message: ConsoleMessage): void {
    this.#messages.push(message);
    this.#characters += sizeOf(message);
    while (this.#messages.length > MAX_MESSAGES || this.#characters > MAX_CHARACTERS) this.#forgetOldest();
    this.#heard += 1;
    if (this.#heard % MAX_MESSAGES === 0) forgetObjects(session);
  }

  #forgetOldest(): void {
    const oldest = this.#messages.shift();
    if (oldest !== undefined) this.#characters -= sizeOf(oldest);
  }
}

/** The page keeps the objects of all messages, for a debugger that might inspect them. */
function forgetObjects(session: CdpSession): void {
  session.send('Runtime.releaseObjectGroup', { objectGroup: 'console' }).catch(() => undefined);
}

function calledMessage({ type, args, timestamp, stackTrace }: Protocol.Runtime.ConsoleAPICalledEvent): ConsoleMessage {
  return { type, text: cut(consoleText(args)), ...at(timestamp), ...place(stackTrace?.callFrames[0]) };
}

function thrownMessage({ timestamp, exceptionDetails }: Protocol.Runtime.ExceptionThrownEvent): ConsoleMessage {
  const { url, lineNumber, stackTrace } = exceptionDetails;
  const from = url === undefined ? stackTrace?.callFrames[0] : { url, lineNumber };
  return { type: 'error', text: cut(thrownText(exceptionDetails)), ...at(timestamp), ...place(from) };
}

/** Failed requests, violations of the page's rules, use of what is deprecated. */
function browserMessage({ level, text, timestamp, url, lineNumber }: Protocol.Log.LogEntry): ConsoleMessage {
  const from = url === undefined ? {} : { url: boundedText(url, MAX_URL) };
  const line = lineNumber === undefined || url === undefined ? {} : { line: lineNumber + 1 };
  return { type: level === 'verbose' ? 'debug' : level, text: cut(text), ...at(timestamp), ...from, ...line };
}

const sizeOf = ({ text, url = '' }: ConsoleMessage) => text.length + url.length;
const cut = (text: string) => boundedText(text, MAX_TEXT);
const at = (milliseconds: number) => ({ timestamp: new Date(milliseconds).toISOString() });

function place(frame: { readonly url: string; readonly lineNumber: number } | undefined): {
  url?: string;
  line?: number;
} {
  return frame === undefined || frame.url === ''
    ? {}
    : { url: boundedText(frame.url, MAX_URL), line: frame.lineNumber + 1 };
}
