import type { Duplex } from 'node:stream';
import { onLines } from '../../../../support/lines.ts';

/** The ids of questions of all gateways: none is used twice. */
let lastQuestion = 1_000;

const CAPABILITIES = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  logging: {},
};

/** The other end of the shim: it answers `initialize` and what the test says. */
export class FakeGateway {
  readonly #stream: Duplex;
  readonly #open: any[] = [];
  readonly #questions = new Set<number>();
  /** All messages, as they came. */
  readonly heard: any[] = [];
  /** Answers to questions that it has not asked. */
  readonly strayAnswers: any[] = [];
  protocolVersion = '2025-11-25';
  capabilities: object = CAPABILITIES;
  answersAtOnce = false;
  /** It does not even answer `initialize`. */
  isSilent = false;

  constructor(stream: Duplex) {
    this.#stream = stream;
    stream.on('error', () => undefined);
    onLines(stream, (line) => this.#onMessage(JSON.parse(line)));
  }

  get methods(): readonly string[] {
    return this.heard.map(({ method }) => method).filter((method) => method !== undefined);
  }

  send(message: object): void {
    this.#stream.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  /** Answers one of the open requests, if there is one. */
  answer(which: number): void {
    const [request] = this.#open.length === 0 ? [] : this.#open.splice(which % this.#open.length, 1);
    if (request !== undefined) this.#reply(request);
  }

  answerAll(): void {
    for (const request of this.#open.splice(0)) this.#reply(request);
    this.answersAtOnce = true;
  }

  /** Asks the client something. Returns the id. */
  ask(): number {
    const id = ++lastQuestion;
    this.#questions.add(id);
    this.send({ id, method: 'roots/list' });
    return id;
  }

  /** Ends as a process that is killed: perhaps within a message. */
  die(isWithinMessage = false): void {
    const [request] = this.#open;
    const half = `{"jsonrpc":"2.0","id":${JSON.stringify(request?.id)},"result":{"content":[{"ty`;
    this.#stream.removeAllListeners('data').end(isWithinMessage ? half : '');
  }

  #onMessage(message: any): void {
    this.heard.push(message);
    if (message.method === undefined) {
      if (!this.#questions.delete(message.id)) this.strayAnswers.push(message);
    } else if ((message.method === 'initialize' && !this.isSilent) || (this.answersAtOnce && message.id !== undefined))
      this.#reply(message);
    else if (message.id !== undefined) this.#open.push(message);
  }

  #reply({ id, method }: any): void {
    const { protocolVersion, capabilities } = this;
    const result = method === 'initialize' ? { protocolVersion, capabilities, serverInfo: {} } : { of: method };
    this.send({ id, result });
  }
}
