import type { Readable, Writable } from 'node:stream';
import { PacedInput } from '../core/timing/paced-input.ts';
import type { ModernClient } from '../session/modern/modern-client.ts';
import type { Session } from '../session/session.ts';
import type { Log } from '../telemetry/log.ts';
import type { Bytes } from '../wire/bytes.ts';
import type { Frame } from '../wire/frame.ts';
import type { LostLine } from '../wire/lines/frame-receiver.ts';
import { NewlineFramer } from '../wire/lines/newline-framer.ts';
import { type Message, readBatch, readMessage } from '../wire/message.ts';
import { type ErrorBody, errorReply } from '../wire/reply.ts';
import { type Arrival, ArrivalNotes, type ArrivalOptions } from './streams/arrival.ts';
import { StreamEras } from './streams/stream-eras.ts';
import { StreamOutput } from './streams/stream-output.ts';
import type { UnreadBudget } from './unread/unread-budget.ts';

/** The time in which a client still gets responses after its input has ended, in milliseconds. */
const LAST_ANSWERS_MS = 1_000;
const POLL_MS = 10;

export interface StreamClientOptions extends Pick<ArrivalOptions, 'folder' | 'profile' | 'hasProfile'> {
  readonly input: Readable;
  readonly output: Writable;
  /** Returns the largest message; asked for each, because the config may change. */
  readonly maxFrameBytes: () => number;
  readonly log: Log;
  /** Bounds what the client leaves unread. */
  readonly unread: UnreadBudget;
  /** Sees each message before anything else does. Returns the message to go on with, or why it is refused. */
  readonly gate?: (message: Message) => Message | Refused;
  readonly openSession: (arrival: Arrival, output: (bytes: Bytes) => void) => Session;
  readonly openModern: (arrival: Arrival) => ModernClient;
}

/** A request gets this error for an answer; any other message is dropped. */
export interface Refused {
  readonly refused: ErrorBody;
}

/** A client that speaks newline-delimited JSON-RPC over a pair of streams: standard input and output, or a local socket. */
export class StreamClient {
  readonly #options: StreamClientOptions;
  readonly #output: StreamOutput;
  readonly #arrival: ArrivalNotes;
  readonly #eras: StreamEras;
  readonly #input: PacedInput;
  /** Cuts the input into messages; `undefined` from the end on, when nothing of it is kept any more. */
  #framer: NewlineFramer | undefined;
  #isClosed = false;
  #end: ((reason: string) => void) | undefined;
  /** Resolves with the reason when the client has gone. */
  readonly ended: Promise<string>;

  constructor(options: StreamClientOptions) {
    this.#options = options;
    const output = new StreamOutput({
      stream: options.output,
      unread: options.unread,
      onCrowded: (isCrowded) => (isCrowded ? this.#input.hold() : this.#input.release()),
      onStalled: () => this.close('the client does not read'),
    });
    const arrival = new ArrivalNotes({
      ...options,
      hangUp: (reason) => this.close(reason),
      onUnknownProfile: (profile) => this.#onUnknownProfile(profile),
    });
    this.#output = output;
    this.#arrival = arrival;
    this.#eras = new StreamEras({
      exchange: output.exchange,
      openSession: () => options.openSession(arrival.settle(), (bytes) => output.sendUnlessCrowded(bytes)),
      openModern: () => options.openModern(arrival.settle()),
    });
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#input = this.#listen();
  }

  /** Calls of the client that are not answered yet. */
  get openCalls(): number {
    return this.#eras.openCalls;
  }

  /** Ends the session and closes the output. */
  close(reason: string): void {
    this.#isClosed = true;
    this.#framer = undefined;
    this.#eras.end();
    this.#output.end();
    this.#end?.(reason);
  }

  #listen(): PacedInput {
    const { input, output, maxFrameBytes, log } = this.#options;
    this.#framer = new NewlineFramer(
      { onFrame: (frame) => this.#onFrame(frame), onLostLine: (line) => this.#onLostLine(line) },
      maxFrameBytes,
    );
    const paced = new PacedInput(input, {
      consume: (chunk, deadline) => this.#framer?.push(chunk, deadline) ?? chunk.length,
      onEnd: () => {
        this.#framer?.end();
        void this.#closeWhenAnswered();
      },
    });
    input.on('close', () => {
      if (!input.readableEnded) void this.#closeWhenAnswered();
    });
    input.on('error', (error) => this.close(`reading from the client failed: ${error.message}`));
    output.on('error', (error) => {
      log.debug({ error }, 'writing to the client failed');
      this.close('the client has closed its end');
    });
    return paced;
  }

  async #closeWhenAnswered(): Promise<void> {
    const deadline = performance.now() + LAST_ANSWERS_MS;
    while (this.#eras.isWaitedFor && performance.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    this.close('the client has closed its input');
  }

  #onFrame(frame: Frame): void {
    const batch = this.#eras.allowsBatches ? readBatch(frame) : undefined;
    // An empty batch is an invalid request like any other text that is no message.
    const messages = batch === undefined || batch.length === 0 ? [readMessage(frame)] : batch;
    for (const arrived of messages) {
      if (this.#isClosed) return;
      const message = this.#admitted(arrived);
      if (message !== undefined && !this.#arrival.takes(message)) this.#eras.onMessage(message);
    }
  }

  /** Returns `undefined` for a message that was refused. */
  #admitted(message: Message): Message | undefined {
    const outcome = this.#options.gate?.(message) ?? message;
    if (!('refused' in outcome)) return outcome;
    if (message.kind === 'request') this.#output.send(errorReply(outcome.refused).withId(message.id));
    return undefined;
  }

  #onLostLine(line: LostLine): void {
    const error =
      line.reason === 'too-large'
        ? { code: -32600, message: `Invalid request: larger than ${this.#options.maxFrameBytes()} bytes` }
        : { code: -32700, message: 'Parse error: the line is not valid JSON' };
    this.#output.send(errorReply(error).withId('null'));
  }

  #onUnknownProfile(profile: string | undefined): void {
    this.#options.log.warn({ event: 'unknown-profile', profile }, 'a client named a profile that there is not');
    this.close('there is no such profile');
  }
}
