import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { exchange, type HttpAnswer } from './http-client.ts';

const KEY = 'io.modelcontextprotocol/';
export const MODERN_REVISION = '2026-07-28';
/** Which of the params a request's `Mcp-Name` repeats. */
const NAMES: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

export interface ModernAnswer extends HttpAnswer {
  /** The body, where it is JSON. */
  readonly json: any;
}

/** A request whose answer is still to come, or is coming. */
export interface OpenModernRequest {
  readonly response: Promise<IncomingMessage>;
  /** The client closes its connection. */
  leave(): void;
}

export interface ModernSender {
  readonly name?: string;
  readonly capabilities?: object;
}

/** A client of 2026-07-28 over HTTP, every header and every member of its envelope under the test's control. */
export class ModernHttpClient {
  readonly url: string;
  readonly #clientInfo: object;
  readonly #capabilities: object;
  #nextId = 1;

  constructor(url: string, { name = 'modern', capabilities = {} }: ModernSender = {}) {
    this.url = url;
    this.#clientInfo = { name, version: '1' };
    this.#capabilities = capabilities;
  }

  /** A request with its envelope; `meta` adds to it, and takes away what is `undefined` there. */
  body(method: string, params: object = {}, meta: object = {}, id: number | string = this.#nextId++): string {
    const envelope = {
      [`${KEY}protocolVersion`]: MODERN_REVISION,
      [`${KEY}clientCapabilities`]: this.#capabilities,
      [`${KEY}clientInfo`]: this.#clientInfo,
    };
    return JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: { ...envelope, ...meta } } });
  }

  /** The headers that go with such a body. */
  headersFor(method: string, params: Readonly<Record<string, unknown>> = {}): Record<string, string> {
    const name = params[NAMES[method] ?? ''];
    return {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': MODERN_REVISION,
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
    };
  }

  /** Sends a body unchanged; headers that are `undefined` are left out. */
  async send(body: string, headers: Headers): Promise<ModernAnswer> {
    const answer = await exchange(this.url, { headers: present(headers), body });
    const isJson = answer.headers['content-type'] === 'application/json' && answer.body !== '';
    return { ...answer, json: isJson ? JSON.parse(answer.body) : undefined };
  }

  post(method: string, params: object = {}, { meta = {}, headers = {} }: Extras = {}): Promise<ModernAnswer> {
    return this.send(this.body(method, params, meta), { ...this.headersFor(method, { ...params }), ...headers });
  }

  call(name: string, args: object = {}, extras: Extras & { readonly more?: object } = {}): Promise<ModernAnswer> {
    return this.post('tools/call', { name, arguments: args, ...extras.more }, extras);
  }

  async callText(name: string, args: object = {}): Promise<string> {
    const { json } = await this.call(name, args);
    return json.result.content[0].text;
  }

  /** Sends a request and reads nothing of its answer. */
  open(method: string, params: object = {}, { meta = {}, headers = {} }: Extras = {}): OpenModernRequest {
    const all = present({ ...this.headersFor(method, { ...params }), ...headers });
    const outgoing: ClientRequest = request(this.url, { method: 'POST', headers: all, agent: false });
    const response = new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.on('response', resolve);
      outgoing.on('error', reject);
    });
    response.catch(() => undefined);
    outgoing.end(this.body(method, params, meta));
    return { response, leave: () => outgoing.destroy() };
  }
}

interface Extras {
  readonly meta?: object;
  readonly headers?: Headers;
}

function present(headers: Headers): Record<string, string | string[]> {
  const given = Object.entries(headers).filter((entry): entry is [string, string | string[]] => entry[1] !== undefined);
  return Object.fromEntries(given);
}

/** The messages of an event stream, one after the other, as far as they have come; comments carry none. */
export async function* messagesOf(response: IncomingMessage): AsyncGenerator<any> {
  let rest = '';
  for await (const chunk of response) {
    const blocks = (rest + (chunk as Buffer).toString('utf8')).split('\n\n');
    rest = blocks.pop()!;
    for (const block of blocks) {
      const data = block.split('\n').find((line) => line.startsWith('data: '));
      if (data !== undefined) yield JSON.parse(data.slice('data: '.length));
    }
  }
}
