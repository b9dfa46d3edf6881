import type { Protocol } from 'devtools-protocol';
import type { CdpSession } from '../cdp/cdp-session.ts';
import type { TargetFollower } from './targets.ts';

/** A line of the console (seed 001, WebviewConsoleMessage). */
export interface ConsoleMessage {
  /** As the DevTools protocol names it: log, warning, error, … */
  readonly type: string;
  readonly text: string;
  /** RFC 3339. */
  readonly timestamp: string;
  readonly url?: string;
  /** The first line of a file is 1. */
  readonly line?: number;
}

const MAX_MESSAGES = 1_000;
const MAX_TEXT = 10_000;

/** Keeps the newest messages of a page's console, its uncaught exceptions included. */
export class ConsoleLog implements TargetFollower {
  #messages: ConsoleMessage[] = [];

  /** Returns the messages that are kept, oldest first. */
  list(): readonly ConsoleMessage[] {
    return [...this.#messages];
  }

  clear(): void {
    this.#messages = [];
  }

  async follow(session: CdpSession): Promise<void> {
    session.on('Runtime.consoleAPICalled', (event) => this.#add(calledMessage(event)));
    session.on('Runtime.exceptionThrown', (event) => this.#add(thrownMessage(event)));
    await session.send('Runtime.enable');
  }

  #add(message: ConsoleMessage): void {
    this.#messages.push(message);
    if (this.#messages.length > MAX_MESSAGES) this.#messages.shift();
  }
}

function calledMessage({ type, args, timestamp, stackTrace }: Protocol.Runtime.ConsoleAPICalledEvent): ConsoleMessage {
  return { type, text: cut(args.map(textOf).join(' ')), ...at(timestamp), ...place(stackTrace?.callFrames[0]) };
}

function thrownMessage({ timestamp, exceptionDetails }: Protocol.Runtime.ExceptionThrownEvent): ConsoleMessage {
  const { exception, text, url, lineNumber, stackTrace } = exceptionDetails;
  const from = url === undefined ? stackTrace?.callFrames[0] : { url, lineNumber };
  return { type: 'error', text: cut(exception?.description ?? text), ...at(timestamp), ...place(from) };
}

const cut = (text: string) => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text);
const at = (milliseconds: number) => ({ timestamp: new Date(milliseconds).toISOString() });

function place(frame: { readonly url: string; readonly lineNumber: number } | undefined): {
  url?: string;
  line?: number;
} {
  return frame === undefined || frame.url === '' ? {} : { url: frame.url, line: frame.lineNumber + 1 };
}

/** Returns a value as the console shows it: objects by their preview. */
function textOf({ type, value, unserializableValue, description, preview }: Protocol.Runtime.RemoteObject): string {
  if (type === 'string') return String(value);
  if (unserializableValue !== undefined) return unserializableValue;
  if (preview !== undefined) return previewText(preview);
  return description ?? JSON.stringify(value) ?? type;
}

function previewText({ subtype, description, properties, overflow }: Protocol.Runtime.ObjectPreview): string {
  if (subtype === 'error') return description ?? 'Error';
  const rest = overflow ? ['…'] : [];
  if (subtype === 'array') return `[${[...properties.map(({ value }) => value ?? ''), ...rest].join(', ')}]`;
  return `{${[...properties.map(({ name, value }) => `${name}: ${value ?? ''}`), ...rest].join(', ')}}`;
}
