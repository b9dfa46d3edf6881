import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { onLines } from '../lines.ts';

/** A message as it arrived: its very text, and what it parses to. */
export interface RawMessage {
  readonly text: string;
  readonly value: any;
}

/** A client that speaks JSON-RPC in lines and shows every byte: SDK clients would mend or refuse what we want to see. */
export class RawClient {
  readonly messages: RawMessage[] = [];
  readonly #output: Writable;
  readonly #waiters = new Set<() => void>();
  #nextId = 1;
  /** Answers requests of the server, by method; the value becomes the result, a promise once it has one. */
  readonly answers = new Map<string, (params: any) => unknown>();
  closed = false;

  constructor(input: Readable, output: Writable) {
    this.#output = output;
    output.on('error', () => undefined);
    onLines(input, (text) => this.#onLine(text));
    input.on('close', () => {
      this.closed = true;
      this.#wake();
    });
  }

  write(line: string | Buffer): void {
    this.#output.write(line);
    this.#output.write('\n');
  }

  /** The client leaves. */
  end(): void {
    this.#output.end();
  }

  notify(method: string, params?: unknown): void {
    this.write(JSON.stringify({ jsonrpc: '2.0', method, params }));
  }

  /** Sends a request and gives the whole answer. `params` may be raw JSON text, `idText` a raw id token. */
  async request(method: string, params: unknown = {}, idText = String(this.#nextId++)): Promise<RawMessage> {
    const paramsText = typeof params === 'string' ? params : JSON.stringify(params);
    const id = JSON.parse(idText);
    const from = this.messages.length;
    this.write(`{"jsonrpc":"2.0","id":${idText},"method":"${method}","params":${paramsText}}`);
    return this.waitFor((message) => message.value.id === id && message.value.method === undefined, from);
  }

  async call(name: string, args: unknown = {}, idText?: string): Promise<any> {
    const answer = await this.request('tools/call', { name, arguments: args }, idText);
    return answer.value.result ?? answer.value;
  }

  /** The text of a tool's first content block. */
  async callText(name: string, args: unknown = {}): Promise<string> {
    const result = await this.call(name, args);
    return result.content?.[0]?.text ?? JSON.stringify(result);
  }

  async toolNames(): Promise<string[]> {
    const answer = await this.request('tools/list');
    return answer.value.result.tools.map((tool: any) => tool.name);
  }

  async initialize(capabilities: unknown = {}, protocolVersion = '2025-11-25', name = 'raw'): Promise<any> {
    const answer = await this.request('initialize', {
      protocolVersion,
      capabilities,
      clientInfo: { name, version: '1' },
    });
    this.notify('notifications/initialized');
    return answer.value.result;
  }

  /** The first message, now or later, that fits. */
  async waitFor(fits: (message: RawMessage) => boolean, from = 0): Promise<RawMessage> {
    for (let at = from; ; ) {
      for (; at < this.messages.length; at++) if (fits(this.messages[at]!)) return this.messages[at]!;
      if (this.closed) throw new Error('the connection was closed');
      await new Promise<void>((resolve) => this.#waiters.add(resolve));
    }
  }

  notifications(method: string): RawMessage[] {
    return this.messages.filter((message) => message.value.method === method && message.value.id === undefined);
  }

  #onLine(text: string): void {
    const value = JSON.parse(text);
    this.messages.push({ text, value });
    if (value.method !== undefined && value.id !== undefined) this.#answer(value);
    this.#wake();
  }

  #answer(request: any): void {
    const answer = this.answers.get(request.method);
    if (answer === undefined) return;
    const write = (result: unknown) => this.write(JSON.stringify({ jsonrpc: '2.0', id: request.id, result }));
    const result = answer(request.params);
    if (result instanceof Promise) void result.then(write);
    else write(result);
  }

  #wake(): void {
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    for (const wake of waiters) wake();
  }
}

export interface SpawnedClient {
  readonly client: RawClient;
  readonly child: ChildProcess;
  /** Standard error so far. */
  readonly stderr: () => string;
}

/** Starts a program and speaks to it on its standard input and output. */
export function spawnClient(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
  cwd?: string,
): SpawnedClient {
  const child = spawn(command, [...args], { stdio: ['pipe', 'pipe', 'pipe'], env, cwd });
  let stderr = '';
  child.stderr!.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  return { client: new RawClient(child.stdout!, child.stdin!), child, stderr: () => stderr };
}
