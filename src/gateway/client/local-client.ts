import type { Duplex } from 'node:stream';
import { TransientMap } from '../../core/collections/transient-map.ts';
import { jsonBytes, toByteString } from '../../wire/bytes.ts';
import type { Frame } from '../../wire/frame.ts';
import { lastMember, membersOf, valueAt } from '../../wire/lens.ts';
import { NewlineFramer } from '../../wire/lines/newline-framer.ts';
import { FrameWriter } from '../../wire/output/frame-writer.ts';
import { VERSION } from '../version.ts';

const PROTOCOL = '2025-11-25';

/** The gateway's answer to a request of the command line was an error. */
export class RequestError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data: unknown) {
    super(message);
    this.name = 'RequestError';
    this.code = code;
    this.data = data;
  }
}

export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

interface Waiting {
  /** Gets the result as a JSON text: numbers in it may be larger or more precise than a number of JavaScript. */
  resolve(result: string): void;
  reject(error: Error): void;
  onProgress: ((progress: Progress) => void) | undefined;
}

interface Incoming {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** A client of the gateway inside its own programs: the commands speak to it as agents do. */
export class LocalClient {
  readonly #stream: Duplex;
  readonly #writer: FrameWriter;
  readonly #waiting = new TransientMap<number, Waiting>();
  #nextId = 1;
  #closed: Error | undefined;

  constructor(stream: Duplex) {
    this.#stream = stream;
    this.#writer = new FrameWriter(stream);
    const framer = new NewlineFramer({ onFrame: (frame) => this.#onFrame(frame), onLostLine: () => undefined });
    stream.on('data', (chunk: Buffer) => framer.push(chunk));
    stream.on('error', (error) => this.#end(error));
    stream.on('close', () => this.#end(new Error('the gateway has closed the connection')));
  }

  /**
   * Sends a request and returns its result.
   * @throws RequestError for an error answer; Error when the connection is lost first.
   */
  async request(
    method: string,
    params: Record<string, unknown> = {},
    onProgress?: (progress: Progress) => void,
  ): Promise<unknown> {
    const id = this.#nextId++;
    const meta = onProgress === undefined ? {} : { _meta: { ...(params._meta as object), progressToken: id } };
    return JSON.parse(await this.#send(id, method, JSON.stringify({ ...params, ...meta }), onProgress));
  }

  /**
   * The same with JSON texts: `params` is an object without `_meta`, on one line. Numbers pass both ways as they are written.
   * @throws RequestError for an error answer; Error when the connection is lost first.
   */
  requestText(method: string, params: string, onProgress?: (progress: Progress) => void): Promise<string> {
    const id = this.#nextId++;
    const meta = onProgress === undefined ? '' : `"_meta":{"progressToken":${id}}`;
    const sent = meta === '' ? params : params === '{}' ? `{${meta}}` : `${params.slice(0, -1)},${meta}}`;
    return this.#send(id, method, sent, onProgress);
  }

  #send(id: number, method: string, params: string, onProgress: Waiting['onProgress']): Promise<string> {
    if (this.#closed !== undefined) return Promise.reject(this.#closed);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, onProgress });
      this.#writer.write(
        toByteString(`{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${params}}`),
      );
    });
  }

  /** Says who it is, as agents do: status and audit show the name. Upstreams do not take it for an agent before `begin`. */
  introduce(name: string): void {
    const clientInfo = { name, version: VERSION };
    // It is not waited for: what keeps it from being answered keeps the next request from it as well.
    this.request('initialize', { protocolVersion: PROTOCOL, capabilities: {}, clientInfo }).catch(() => undefined);
  }

  /** Completes the handshake: from now on it is a client like any agent, and upstreams may address it. */
  begin(): void {
    this.notify('notifications/initialized');
  }

  notify(method: string, params: Record<string, unknown> = {}): void {
    this.#writer.write(jsonBytes({ jsonrpc: '2.0', method, params }));
  }

  close(): void {
    this.#writer.flush();
    this.#stream.end();
    this.#stream.destroy();
  }

  #onFrame(frame: Frame): void {
    const message = valueAt(frame.text, frame.outline) as Incoming;
    if (message.method === 'notifications/progress') this.#onProgress(message.params ?? {});
    if (message.id === undefined) return;
    if (message.method !== undefined) {
      // The command line answers no questions: it declared no capability for any.
      this.#writer.write(
        jsonBytes({ jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'Method not found' } }),
      );
      return;
    }
    const waiting = this.#waiting.take(message.id);
    if (message.error === undefined) waiting?.resolve(resultText(frame));
    else waiting?.reject(new RequestError(message.error.code, message.error.message, message.error.data));
  }

  #onProgress(params: Record<string, unknown>): void {
    this.#waiting.get(params.progressToken as number)?.onProgress?.(params as unknown as Progress);
  }

  #end(error: Error): void {
    if (this.#closed !== undefined) return;
    this.#closed = error;
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
  }
}

function resultText({ text, outline }: Frame): string {
  const result = lastMember(membersOf(text, outline), 'result');
  return result === undefined ? 'null' : text.utf8Slice(result.start, result.end);
}
