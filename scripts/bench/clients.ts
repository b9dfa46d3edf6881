import { type ChildProcess, spawn } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import type { Duplex, Readable, Writable } from 'node:stream';

/** One end to measure: sends a request, gives the answer's bytes. */
export interface BenchClient {
  /** Processes whose CPU and memory are the target's cost; empty for a direct connection. */
  readonly pids: readonly number[];
  request(method: string, params: string): Promise<Buffer>;
  close(): Promise<void>;
}

const INITIALIZE = '{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}';

/** The cheapest client over standard input and output: ids ascend, answers are found by their id's first digits. */
export class StdioClient implements BenchClient {
  readonly pids: readonly number[];
  /** Called with the method of each notification. */
  onNotification: (method: string) => void = () => undefined;
  readonly #child: ChildProcess;
  readonly #input: Writable;
  readonly #waiting = new Map<number, (line: Buffer) => void>();
  readonly #ended: Promise<never>;
  #pieces: Buffer[] = [];
  #nextId = 1;

  constructor(command: string, args: readonly string[], env: NodeJS.ProcessEnv, counts: boolean) {
    this.#child = spawn(command, [...args], { stdio: ['pipe', 'pipe', 'ignore', 'pipe'], env });
    this.#input = this.#child.stdin!;
    this.pids = counts ? [this.#child.pid!] : [];
    this.#ended = new Promise((_, reject) => {
      this.#child.once('exit', (code) => reject(new Error(`${args.join(' ')} has ended with ${code}`)));
    });
    // Its own end is no error unless someone waits for an answer.
    this.#ended.catch(() => undefined);
    this.#read(this.#child.stdout!);
  }

  /** The process's descriptor 3, where a probe may answer. */
  get sideChannel(): Duplex {
    return this.#child.stdio[3] as Duplex;
  }

  async initialize(): Promise<void> {
    await Promise.race([this.request('initialize', INITIALIZE), this.#ended]);
    this.#input.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  }

  request(method: string, params: string): Promise<Buffer> {
    const id = this.#nextId++;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#input.write(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}\n`);
    });
  }

  async close(): Promise<void> {
    this.#input.end();
    if (this.#child.exitCode === null) await new Promise((resolve) => this.#child.once('exit', resolve));
  }

  #read(output: Readable): void {
    output.on('data', (chunk: Buffer) => {
      let from = 0;
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
        this.#onLine(chunk.subarray(from, at));
        from = at + 1;
      }
      if (from < chunk.length) this.#pieces.push(chunk.subarray(from));
    });
  }

  #onLine(end: Buffer): void {
    const line = this.#pieces.length === 0 ? end : Buffer.concat([...this.#pieces, end]);
    this.#pieces = [];
    const head = line.toString('latin1', 0, 80);
    const match = /"id":(\d+)/.exec(head);
    if (match === null) {
      this.onNotification(/"method":"([^"]+)"/.exec(head)?.[1] ?? '');
      return;
    }
    const id = Number(match[1]);
    const resolve = this.#waiting.get(id);
    this.#waiting.delete(id);
    resolve?.(line);
  }
}

/** HTTP/1.1 on plain sockets that stay open: Node's own client would cost more than the server that is measured. */
export class HttpClient implements BenchClient {
  readonly pids: readonly number[];
  readonly #url: URL;
  readonly #idle: Connection[] = [];
  readonly #stop: () => Promise<void>;
  /** Header lines that every request has. */
  #session = '';
  #nextId = 1;

  constructor(url: string, pids: readonly number[], stop: () => Promise<void>) {
    this.#url = new URL(url);
    this.pids = pids;
    this.#stop = stop;
  }

  async initialize(): Promise<void> {
    const connection = this.#take();
    await connection.post(this.#post('initialize', INITIALIZE));
    this.#session = `mcp-session-id: ${connection.session}\r\n`;
    await connection.post(this.#head('{"jsonrpc":"2.0","method":"notifications/initialized"}'));
    this.#idle.push(connection);
  }

  async request(method: string, params: string): Promise<Buffer> {
    const connection = this.#take();
    const body = await connection.post(this.#post(method, params));
    this.#idle.push(connection);
    return body;
  }

  async close(): Promise<void> {
    for (const connection of this.#idle) connection.close();
    await this.#stop();
  }

  /** A request of the modern era, which needs no opening. */
  async requestModern(method: string, params: string, name: string): Promise<Buffer> {
    const connection = this.#take();
    const named = name === '' ? '' : `mcp-name: ${name}\r\n`;
    this.#session = `mcp-protocol-version: 2026-07-28\r\nmcp-method: ${method}\r\n${named}`;
    const body = await connection.post(this.#post(method, params));
    this.#idle.push(connection);
    return body;
  }

  #take(): Connection {
    return this.#idle.pop() ?? new Connection(Number(this.#url.port));
  }

  #post(method: string, params: string): string {
    return this.#head(`{"jsonrpc":"2.0","id":${this.#nextId++},"method":"${method}","params":${params}}`);
  }

  #head(body: string): string {
    return (
      `POST ${this.#url.pathname} HTTP/1.1\r\nhost: ${this.#url.host}\r\ncontent-type: application/json\r\n` +
      `accept: application/json, text/event-stream\r\n${this.#session}content-length: ${body.length}\r\n\r\n${body}`
    );
  }
}

/** One socket; one exchange at a time. */
class Connection {
  session = '';
  readonly #socket: Socket;
  #head = '';
  #pieces: Buffer[] = [];
  #left = -1;
  #resolve: ((body: Buffer) => void) | undefined;

  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1');
    this.#socket.setNoDelay(true);
    this.#socket.on('data', (chunk: Buffer) => this.#onChunk(chunk));
    this.#socket.on('error', () => undefined);
  }

  post(text: string): Promise<Buffer> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#socket.write(text);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #onChunk(chunk: Buffer): void {
    if (this.#left >= 0) {
      this.#take(chunk);
      return;
    }
    const end = chunk.indexOf('\r\n\r\n');
    this.#head += chunk.toString('latin1', 0, end === -1 ? chunk.length : end);
    if (end === -1) return;
    this.session = /^mcp-session-id: (.*)$/im.exec(this.#head)?.[1]?.trim() ?? this.session;
    this.#left = Number(/^content-length: (\d+)$/im.exec(this.#head)?.[1] ?? 0);
    this.#head = '';
    this.#take(chunk.subarray(end + 4));
  }

  #take(piece: Buffer): void {
    if (piece.length > 0) this.#pieces.push(piece);
    this.#left -= piece.length;
    if (this.#left > 0) return;
    const body = Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#left = -1;
    this.#resolve?.(body);
  }
}

const ENVELOPE =
  '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},' +
  '"io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1"}}';

/** The same in the modern era: each request says all that its server must know. */
export class ModernHttpClient implements BenchClient {
  readonly pids: readonly number[];
  readonly #http: HttpClient;

  constructor(url: string, pids: readonly number[], stop: () => Promise<void>) {
    this.#http = new HttpClient(url, pids, stop);
    this.pids = pids;
  }

  request(method: string, params: string): Promise<Buffer> {
    const name = /^\{"name":"([^"]+)"/.exec(params)?.[1] ?? '';
    const whole = params === '{}' ? `{${ENVELOPE}}` : `${params.slice(0, -1)},${ENVELOPE}}`;
    return this.#http.requestModern(method, whole, name);
  }

  close(): Promise<void> {
    return this.#http.close();
  }
}
