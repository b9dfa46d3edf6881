import { randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { PROFILE_NOTIFICATION } from '../core/access/client-grant.ts';
import { depthOf } from '../core/agent-depth.ts';
import { asFolder, FOLDER_NOTIFICATION } from '../core/providers/client-folder.ts';
import { PacedInput } from '../core/timing/paced-input.ts';
import { claimsModern, readEnvelope } from '../era/modern/envelope.ts';
import type { Exchange } from '../session/exchange.ts';
import type { ModernClient } from '../session/modern/modern-client.ts';
import { OpenRequests } from '../session/open-requests.ts';
import type { Session } from '../session/session.ts';
import type { Log } from '../telemetry/log.ts';
import type { Bytes } from '../wire/bytes.ts';
import type { Frame } from '../wire/frame.ts';
import { lastMember, stringAt } from '../wire/lens.ts';
import type { LostLine } from '../wire/lines/frame-receiver.ts';
import { NewlineFramer } from '../wire/lines/newline-framer.ts';
import { type Message, paramsOf, type RequestMessage, readBatch, readMessage } from '../wire/message.ts';
import { FrameWriter } from '../wire/output/frame-writer.ts';
import { type ErrorBody, errorReply } from '../wire/reply.ts';
import type { Reader, UnreadBudget } from './unread/unread-budget.ts';

/**
 * Beyond so many unread bytes a client gets no progress and no log messages any more, and its own messages are not read:
 * whoever does not take its answers cannot ask for more.
 */
const CROWDED_BYTES = 4 * 1024 * 1024;
/** What lies on the way of any answer is not looked at. */
const NOTABLE_BYTES = 64 * 1024;
/** After its input has ended, a client still gets answers for so long. */
const LAST_ANSWERS_MS = 1_000;
const POLL_MS = 10;

export interface StreamClientOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** The largest message; asked for each, because the config may change. */
  readonly maxFrameBytes: () => number;
  readonly log: Log;
  /** Bounds what the client leaves unread. */
  readonly unread: UnreadBudget;
  /** The folder that the client works in, where it is known without being told. */
  readonly folder?: string | undefined;
  /** The profile that it is bound to from the start. */
  readonly profile?: string | undefined;
  /** Whether there is a profile of a name. Where this is given, the client may say first which one it is bound to. */
  readonly hasProfile?: (name: string) => boolean;
  /** Sees each message before anything else does. Returns the message to go on with, or why it is refused. */
  readonly gate?: (message: Message) => Message | Refused;
  readonly openSession: (arrival: Arrival, output: (bytes: Bytes) => void) => Session;
  readonly openModern: (arrival: Arrival) => ModernClient;
}

/** A request gets this error for an answer; any other message is dropped. */
export interface Refused {
  readonly refused: ErrorBody;
}

/** What is known of a client before its first message. */
export interface Arrival {
  readonly folder: string | undefined;
  readonly profile: string | undefined;
  /** Number of agents, started by gateways, between the client and the user. */
  readonly depth: number;
  readonly hangUp: (reason: string) => void;
}

/**
 * A client that speaks newline-delimited JSON-RPC over a pair of streams: standard input and output, or a local socket.
 * Its opening tells its era: from `initialize` on it is a legacy client, until then each request tells its own.
 */
export class StreamClient implements Reader {
  readonly owner = `stream ${randomUUID()}`;
  readonly #options: StreamClientOptions;
  readonly #writer: FrameWriter;
  #session: Session | undefined;
  #modern: ModernClient | undefined;
  readonly #openRequests = new OpenRequests();
  #isLegacy = false;
  #folder: string | undefined;
  #profile: string | undefined;
  #depth = 0;
  #isClosed = false;
  readonly #exchange: Exchange;
  /** For requests of the legacy era. */
  readonly #counted: Exchange;
  /** Number of them that are not answered yet, including those that the gateway answers itself. */
  #unanswered = 0;
  readonly #input: PacedInput;
  /** Cuts the input into messages; `undefined` from the end on, when nothing of it is kept any more. */
  #framer: NewlineFramer | undefined;
  #end: ((reason: string) => void) | undefined;
  /** Resolves with the reason when the client has gone. */
  readonly ended: Promise<string>;

  constructor(options: StreamClientOptions) {
    this.#options = options;
    this.#folder = options.folder;
    this.#profile = options.profile;
    this.#writer = new FrameWriter(options.output, () => this.#onTaken());
    this.#exchange = {
      reply: (bytes) => this.#send(bytes),
      send: (bytes) => this.#send(bytes),
      sendIfRoom: (bytes) => this.#sendUnlessCrowded(bytes),
      whenRoom: () => options.unread.whenRoom(this.owner),
      abandon: () => undefined,
    };
    const onAnswered = () => void this.#unanswered--;
    this.#counted = {
      ...this.#exchange,
      reply: (bytes) => {
        onAnswered();
        this.#send(bytes);
      },
      abandon: onAnswered,
    };
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#input = this.#listen();
  }

  /** Ends the session and closes the output. */
  close(reason: string): void {
    this.#isClosed = true;
    this.#framer = undefined;
    this.#session?.end();
    this.#modern?.end();
    this.#writer.end();
    this.#end?.(reason);
  }

  get queuedBytes(): number {
    return this.#writer.queuedBytes;
  }

  get takenBytes(): number {
    return this.#writer.takenBytes;
  }

  /** The client has taken nothing for too long. */
  cut(): void {
    this.close('the client does not read');
    this.#options.output.destroy();
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
    while ((this.openCalls > 0 || this.#unanswered > 0) && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    this.close('the client has closed its input');
  }

  /** Calls of the client that are not answered yet. */
  get openCalls(): number {
    return (this.#session?.openCalls ?? 0) + (this.#modern?.openCalls ?? 0);
  }

  #onFrame(frame: Frame): void {
    const batch = this.#session?.introduction.allowsBatches === true ? readBatch(frame) : undefined;
    // An empty batch is an invalid request like any other text that is no message.
    const messages = batch === undefined || batch.length === 0 ? [readMessage(frame)] : batch;
    for (const arrived of messages) {
      if (this.#isClosed) return;
      const message = this.#admitted(arrived);
      if (message === undefined) continue;
      if (this.#onFolder(message) || this.#onProfile(message)) continue;
      if (this.#isLegacy || !this.#onModern(message)) this.#onLegacy(message);
    }
  }

  #onLegacy(message: Message): void {
    if (message.kind === 'request' || message.kind === 'invalid') this.#unanswered++;
    this.#legacy.onMessage(message, this.#counted);
  }

  /** Returns `undefined` for a message that was refused. */
  #admitted(message: Message): Message | undefined {
    const outcome = this.#options.gate?.(message) ?? message;
    if (!('refused' in outcome)) return outcome;
    if (message.kind === 'request') this.#send(errorReply(outcome.refused).withId(message.id));
    return undefined;
  }

  /** `viaduct stdio` says first where it was started, and behind how many agents. Returns false for all other messages. */
  #onFolder(message: Message): boolean {
    if (message.kind !== 'notification' || message.method !== FOLDER_NOTIFICATION) return false;
    const { text } = message.frame;
    const params = paramsOf(message);
    this.#folder = asFolder(stringAt(text, lastMember(params, 'folder'))) ?? this.#folder;
    // The client's own words come behind those of `viaduct stdio`: they do not take back the depth.
    this.#depth = Math.max(this.#depth, depthOf(stringAt(text, lastMember(params, 'depth'))));
    return true;
  }

  /**
   * `viaduct stdio` says before all else which profile it serves. It cannot be said again, and one that there is not ends
   * the connection: nobody gets more because a profile is gone. Returns false for all other messages.
   */
  #onProfile(message: Message): boolean {
    if (message.kind !== 'notification' || message.method !== PROFILE_NOTIFICATION) return false;
    const { hasProfile } = this.#options;
    const isTooLate = (this.#profile ?? this.#session ?? this.#modern) !== undefined;
    if (hasProfile === undefined || isTooLate) return true;
    const name = stringAt(message.frame.text, lastMember(paramsOf(message), 'profile'));
    if (name !== undefined && hasProfile(name)) this.#profile = name;
    else {
      this.#options.log.warn({ event: 'unknown-profile', profile: name }, 'a client named a profile that there is not');
      this.close('there is no such profile');
    }
    return true;
  }

  get #arrival(): Arrival {
    return { folder: this.#folder, profile: this.#profile, depth: this.#depth, hangUp: (reason) => this.close(reason) };
  }

  /** Made when first needed: a client of the other era never has one. */
  get #legacy(): Session {
    this.#session ??= this.#options.openSession(this.#arrival, (bytes) => this.#sendUnlessCrowded(bytes));
    return this.#session;
  }

  /** Takes a message of a client that has not said `initialize`. Returns false for what belongs to the legacy era. */
  #onModern(message: Message): boolean {
    if (message.kind === 'notification' && message.method === 'notifications/cancelled')
      return this.#openRequests.onCancelled(message);
    if (message.kind !== 'request') return false;
    const { frame } = message;
    const params = paramsOf(message);
    if (!claimsModern(frame, params)) {
      this.#isLegacy = message.method === 'initialize';
      if (this.#isLegacy || this.#modern === undefined) return false;
    }
    this.#modern ??= this.#options.openModern(this.#arrival);
    this.#serveModern(message, this.#modern, readEnvelope(frame, params));
    return true;
  }

  #serveModern(message: RequestMessage, modern: ModernClient, envelope: ReturnType<typeof readEnvelope>): void {
    const refuse = (code: number, problem: string) =>
      this.#send(errorReply({ code, message: problem }).withId(message.id));
    if ('problem' in envelope) refuse(-32602, `Invalid params for ${message.method}: ${envelope.problem}`);
    else if (this.#openRequests.has(message)) {
      refuse(-32600, `Invalid request: the id ${message.id} is in use by a request that is not answered yet`);
    } else {
      this.#openRequests.track(message, this.#exchange, (exchange) => modern.onRequest(message, envelope, exchange));
    }
  }

  #onLostLine(line: LostLine): void {
    const error =
      line.reason === 'too-large'
        ? { code: -32600, message: `Invalid request: larger than ${this.#options.maxFrameBytes()} bytes` }
        : { code: -32700, message: 'Parse error: the line is not valid JSON' };
    this.#send(errorReply(error).withId('null'));
  }

  #sendUnlessCrowded(bytes: Bytes): void {
    if (this.#writer.queuedBytes <= CROWDED_BYTES) this.#send(bytes);
  }

  #send(bytes: Bytes): void {
    const queued = this.#writer.queuedBytes;
    this.#writer.write(bytes);
    if (queued === 0 || this.#writer.queuedBytes <= NOTABLE_BYTES) return;
    this.#options.unread.onWritten(this);
    if (this.#writer.queuedBytes > CROWDED_BYTES) this.#input.hold();
  }

  #onTaken(): void {
    this.#options.unread.onTaken(this);
    if (this.#writer.queuedBytes <= CROWDED_BYTES) this.#input.release();
  }
}
