import { type IncomingMessage, request } from 'node:http';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface HttpRequest {
  readonly method?: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string | Buffer;
}

const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** One HTTP exchange, read to its end. */
export async function exchange(url: string, { method = 'POST', headers = {}, body }: HttpRequest): Promise<HttpAnswer> {
  const response = await open(url, { method, headers, ...(body !== undefined && { body }) });
  let text = '';
  for await (const chunk of response) text += (chunk as Buffer).toString('utf8');
  return { status: response.statusCode!, headers: response.headers, body: text };
}

/** The answer while it is still coming. */
export function open(url: string, { method = 'POST', headers = {}, body }: HttpRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent: false }, resolve);
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

export interface ServerEvent {
  readonly id: string;
  readonly data: any;
}

/** The events of a stream, one after the other, as far as they have come. */
export async function* eventsOf(response: IncomingMessage): AsyncGenerator<ServerEvent> {
  let rest = '';
  for await (const chunk of response) {
    rest += (chunk as Buffer).toString('utf8');
    const blocks = rest.split('\n\n');
    rest = blocks.pop()!;
    for (const block of blocks) {
      const fields = new Map(
        block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
      );
      const data = fields.get('data');
      if (fields.has('id')) yield { id: fields.get('id')!, data: data ? JSON.parse(data) : undefined };
    }
  }
}

/** A session over Streamable HTTP, every header under the test's control. */
export class HttpSession {
  readonly url: string;
  readonly id: string;
  readonly initialized: any;
  /** Headers of every request that are not usual ones. */
  readonly extraHeaders: Readonly<Record<string, string>>;
  #nextId = 100;

  private constructor(url: string, id: string, initialized: any, extra: Readonly<Record<string, string>>) {
    this.extraHeaders = extra;
    this.url = url;
    this.id = id;
    this.initialized = initialized;
  }

  /** `extra` are headers of every request. */
  static async open(
    url: string,
    capabilities: unknown = {},
    protocolVersion = '2025-11-25',
    extra: Readonly<Record<string, string>> = {},
  ): Promise<HttpSession> {
    const params = { protocolVersion, capabilities, clientInfo: { name: 'http', version: '1' } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    const answer = await exchange(url, { headers: { ...JSON_HEADERS, ...extra }, body });
    const id = answer.headers['mcp-session-id'] as string;
    const session = new HttpSession(url, id, JSON.parse(answer.body).result, extra);
    await session.post(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
    return session;
  }

  get headers(): Record<string, string> {
    return { ...JSON_HEADERS, ...this.extraHeaders, 'mcp-session-id': this.id };
  }

  post(body: string, headers: Record<string, string> = {}): Promise<HttpAnswer> {
    return exchange(this.url, { headers: { ...this.headers, ...headers }, body });
  }

  postOpen(body: string): Promise<IncomingMessage> {
    return open(this.url, { headers: this.headers, body });
  }

  listen(headers: Record<string, string> = {}): Promise<IncomingMessage> {
    return open(this.url, {
      method: 'GET',
      headers: { accept: 'text/event-stream', 'mcp-session-id': this.id, ...this.extraHeaders, ...headers },
    });
  }

  request(method: string, params: unknown = {}): string {
    return JSON.stringify({ jsonrpc: '2.0', id: this.#nextId++, method, params });
  }

  async callText(name: string, args: unknown = {}): Promise<string> {
    const answer = await this.post(this.request('tools/call', { name, arguments: args }));
    return JSON.parse(answer.body).result.content[0].text;
  }

  async toolNames(): Promise<string[]> {
    const answer = await this.post(this.request('tools/list'));
    return JSON.parse(answer.body).result.tools.map((tool: any) => tool.name);
  }
}
