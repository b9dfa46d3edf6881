import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import type { ClientMessages } from './client-messages.ts';
import { ANSWER_WITHIN_MS } from './line-client.ts';
import { dueFor, idKey } from './oracle.ts';

const SOCKETS = 4;

/** Headers that a client may get wrong, with wrong values. */
const BAD_HEADERS: Readonly<Record<string, readonly string[]>> = {
  'mcp-session-id': ['', '__proto__', 'toString', 'x'.repeat(6_000), '../..', '00000000-0000-0000-0000-000000000000'],
  'mcp-protocol-version': ['', '1999-01-01', '2024-11-05', '__proto__', '2025-11-25, 2025-11-25'],
  'content-type': ['', 'text/plain', 'application/json; charset=utf-16', 'application/jsonx', 'multipart/form-data'],
  accept: ['', '*/*', 'application/json', 'text/event-stream', 'text/html'],
  'last-event-id': ['1_1', 's_999', '__proto__', '1_99999999999999999999'],
  origin: ['null', 'http://evil.example', 'http://127.0.0.1'],
  host: ['evil.example', '127.0.0.1', 'localhost:1'],
};

interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Sends messages over HTTP in one session and notes what is wrong with the answers. */
export class HttpFuzzer {
  readonly problems: string[] = [];
  readonly statuses = new Map<number, number>();
  unanswered = 0;
  readonly #url: string;
  readonly #messages: ClientMessages;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: SOCKETS });
  #session = '';
  #probes = 0;

  constructor(url: string, messages: ClientMessages) {
    this.#url = url;
    this.#messages = messages;
  }

  async open(): Promise<void> {
    const params = '{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"f","version":"1"}}';
    const answer = await this.#post(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":${params}}`);
    this.#session = answer.headers['mcp-session-id'] as string;
    await this.#post('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  }

  /** So many messages, a few at a time, then probes that must be answered. */
  async round(count: number): Promise<void> {
    await Promise.all(Array.from({ length: count }, () => this.#sendOne()));
    await this.#probe('ping', '{}');
    await this.#probe('tools/call', '{"name":"u_good","arguments":{}}');
  }

  async close(): Promise<void> {
    await this.#send('DELETE', { 'mcp-session-id': this.#session }, '');
    this.#agent.destroy();
  }

  async #sendOne(): Promise<void> {
    const { mutator } = this.#messages;
    const bytes = this.#messages.next();
    const name = mutator.chance(0.1) ? mutator.pick(Object.keys(BAD_HEADERS)) : undefined;
    const bad = name === undefined ? {} : { [name]: mutator.pick(BAD_HEADERS[name]!) };
    let answer: HttpAnswer;
    try {
      answer = await this.#post(bytes, bad);
    } catch (error) {
      this.unanswered++;
      this.problems.push(`${String(error)} for ${show(bytes)}`);
      return;
    }
    this.statuses.set(answer.status, (this.statuses.get(answer.status) ?? 0) + 1);
    if (answer.status >= 500) this.problems.push(`${answer.status} ${answer.body} for ${show(bytes)}`);
    else if (name === undefined) this.#check(bytes, answer);
    await this.#leaveNewSession(answer);
  }

  #check(bytes: Buffer, { status, body, headers }: HttpAnswer): void {
    const isStream = headers['content-type'] === 'text/event-stream';
    const texts = isStream ? [...body.matchAll(/^data: (.+)$/gm)].map((match) => match[1]!) : body === '' ? [] : [body];
    let ids: (string | undefined)[];
    try {
      ids = texts.map((text) => JSON.parse(text) as { id?: unknown; method?: unknown }).flatMap(idsOf);
    } catch {
      this.problems.push(`unreadable answer ${body.slice(0, 200)} for ${show(bytes)}`);
      return;
    }
    const { must, may, isAmbiguous } = dueFor(bytes);
    for (const key of must) {
      if (ids.filter((id) => id === key).length === 1 && status === 200) continue;
      if (isAmbiguous && status === 400) continue;
      this.unanswered++;
      this.problems.push(`${status}, no answer or several to ${key}: ${body.slice(0, 200)} for ${show(bytes)}`);
    }
    const allowed = [...must, ...may];
    const stranger = ids.find((id) => id !== undefined && !allowed.includes(id));
    if (stranger !== undefined) this.problems.push(`an answer to ${stranger}, who did not ask: ${show(bytes)}`);
  }

  async #probe(method: string, params: string): Promise<void> {
    const id = `"probe-${++this.#probes}"`;
    try {
      const answer = await this.#post(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`);
      if (answer.status === 200 && 'result' in (JSON.parse(answer.body) as object)) return;
      this.problems.push(`probe ${method}: ${answer.status} ${answer.body.slice(0, 200)}`);
    } catch (error) {
      this.problems.push(`probe ${method}: ${String(error)}`);
    }
  }

  /** A message may happen to be a good `initialize`: its session is not kept. */
  async #leaveNewSession({ headers }: HttpAnswer): Promise<void> {
    const id = headers['mcp-session-id'];
    if (typeof id === 'string') await this.#send('DELETE', { 'mcp-session-id': id }, '');
  }

  #post(body: string | Buffer, headers: Readonly<Record<string, string>> = {}): Promise<HttpAnswer> {
    const usual = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const session = this.#session === '' ? {} : { 'mcp-session-id': this.#session };
    return this.#send('POST', { ...usual, ...session, ...headers }, body);
  }

  #send(method: string, headers: Record<string, string>, body: string | Buffer): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      const length = String(Buffer.byteLength(body));
      const options = { method, agent: this.#agent, headers: { ...headers, 'content-length': length } };
      const outgoing = request(this.#url, options, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('error', reject);
        response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, body: text }));
      });
      outgoing.setTimeout(ANSWER_WITHIN_MS, () => outgoing.destroy(new Error('no answer')));
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }
}

function idsOf(message: { readonly id?: unknown; readonly method?: unknown }): (string | undefined)[] {
  return message.method === undefined ? [idKey(message.id)] : [];
}

function show(bytes: Buffer): string {
  return JSON.stringify(bytes.toString('latin1', 0, 300));
}
