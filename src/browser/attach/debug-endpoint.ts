import { type IncomingMessage, request } from 'node:http';
import { z } from 'zod';
import { unlessAborted } from '../../core/timing/unless-aborted.ts';
import type { DebugAddress } from './debug-url.ts';

/** A target as a browser lists it. */
export interface ListedTarget {
  readonly id: string;
  readonly type: string;
  readonly url: string;
  /** Path of its own WebSocket; `undefined` if another debugger has it. */
  readonly socketPath: string | undefined;
}

const MAX_BYTES = 1_048_576;
const MAX_TARGETS = 1_000;

const text = z.string().max(100_000);
const version = z.object({ webSocketDebuggerUrl: text.optional() });
const target = z.object({ id: text, type: text, url: text, webSocketDebuggerUrl: text.optional() });
const targets = z.array(target).max(MAX_TARGETS);

/** The HTTP part of a browser's debugging port. Its responses are not trusted: only the requested host is used. */
export class DebugEndpoint {
  readonly #address: DebugAddress;
  readonly #signal: AbortSignal;

  /** @param signal ends all its requests */
  constructor(address: DebugAddress, signal: AbortSignal) {
    this.#address = address;
    this.#signal = signal;
  }

  /** Returns the path of the browser's own WebSocket; `undefined` if it has none. @throws Error that says what is wrong */
  async browserSocketPath(): Promise<string | undefined> {
    return pathIn((await this.#ask('GET', '/json/version', version)).webSocketDebuggerUrl);
  }

  /** Returns the targets, the one that was used last first. @throws Error that says what is wrong */
  async list(): Promise<readonly ListedTarget[]> {
    return (await this.#ask('GET', '/json', targets)).map(listed);
  }

  /** Opens a tab. @throws Error that says what is wrong */
  async open(): Promise<ListedTarget> {
    return listed(await this.#ask('PUT', '/json/new', target));
  }

  /** Returns the URL of a WebSocket on the host that was asked for. */
  socketUrl(path: string): string {
    return `ws://${this.#address.authority}${path}`;
  }

  async #ask<Shape extends z.ZodType>(method: string, path: string, shape: Shape): Promise<z.output<Shape>> {
    const response = await this.#send(method, path);
    const body = await bodyOf(response);
    if (response.statusCode !== 200) throw new Error(`it answered ${path} with HTTP ${response.statusCode}`);
    const result = shape.safeParse(json(body));
    if (!result.success) throw new Error(`its answer to ${path} is not what a browser answers`);
    return result.data;
  }

  #send(method: string, path: string): Promise<IncomingMessage> {
    const { host, port } = this.#address;
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      const options = { host, port, path, method, agent: false, signal: this.#signal };
      // Stays: an unhandled error event ends the process.
      const asking = request(options, resolve).on('error', reject);
      // An answer that changes the protocol brings neither a response nor an error.
      asking.once('close', () => reject(new Error(`it did not answer ${path}`))).end();
    });
    return unlessAborted(answered, this.#signal);
  }
}

async function bodyOf(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_BYTES) throw new Error('its answer is too long');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function json(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined; // the shape does not fit then
  }
}

function listed({ id, type, url, webSocketDebuggerUrl }: z.output<typeof target>): ListedTarget {
  return { id, type, url, socketPath: pathIn(webSocketDebuggerUrl) };
}

function pathIn(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  const { pathname } = new URL(url);
  return pathname.startsWith('/devtools/') ? pathname : undefined;
}
