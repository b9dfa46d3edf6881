import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { DEFAULT_PROFILE } from '../../core/access/client-grant.ts';
import { toBuffer } from '../../wire/bytes.ts';
import { Frame } from '../../wire/frame.ts';
import type { IdToken } from '../../wire/ids.ts';
import { JsonTextError } from '../../wire/json-error.ts';
import { type Message, readMessage } from '../../wire/message.ts';
import { type ErrorBody, errorReply } from '../../wire/reply.ts';
import { OPEN_ACCESS } from '../http/auth/authenticator.ts';
import type { Credential } from '../http/auth/credential.ts';
import type { Rejection } from '../http/guards/reject.ts';
import type { StreamClient } from '../stream-client.ts';
import { letGo } from './let-go.ts';
import { type Opening, readOpening } from './opening.ts';
import { AUTHORIZATION_KEY, type Presented, presentedIn } from './presented.ts';
import { type ConnectionHost, serveSocket } from './serve-socket.ts';

/** Longest first message of a client that still has to prove who it is. */
const UNPROVED_BYTES = 64 * 1024;

/** One connection: first its client says who it is, and from then on its messages are those of one client. */
export class TcpConnection {
  readonly #socket: Socket;
  readonly #host: ConnectionHost;
  readonly #address: string;
  readonly #patience: NodeJS.Timeout;
  readonly #giveUpOpening: () => void;
  #credential: Credential | undefined;
  #client: StreamClient | undefined;
  #isRefused = false;

  /** The connection is new: nothing of it was read. */
  constructor(socket: Socket, host: ConnectionHost) {
    this.#socket = socket;
    this.#host = host;
    this.#address = socket.remoteAddress ?? '';
    this.#patience = setTimeout(() => this.#onSilence(), host.times.firstMessageMs);
    this.#giveUpOpening = readOpening(socket, this.#maxOpeningBytes, (opening) => this.#onOpening(opening));
    socket.once('close', () => clearTimeout(this.#patience));
  }

  /** Ends the session; what was written to the client leaves first. */
  close(reason: string): void {
    if (this.#client === undefined) this.#socket.destroy();
    else this.#client.close(reason);
  }

  /** Ends everything of clients that are no longer admitted. */
  closeIfStale(now: number): void {
    if (this.#credential === undefined || this.#client === undefined) return;
    const { principal, expiresAt } = this.#credential;
    if (!this.#host.settings().auth.isCurrent(principal.id)) this.close('the bearer token is not valid any more');
    else if (expiresAt <= now && this.#client.openCalls === 0) this.close('the bearer token has expired');
  }

  /** Says why nothing more is read, and hangs up. */
  refuse(error: ErrorBody, id: IdToken = 'null', status = 0): void {
    if (this.#isRefused) return;
    this.#isRefused = true;
    this.#host.refusals.note(status, error.message);
    if (this.#client !== undefined) {
      this.#client.close(error.message);
      return;
    }
    clearTimeout(this.#patience);
    this.#giveUpOpening();
    this.#socket.end(Buffer.concat([toBuffer(errorReply(error).withId(id)), Buffer.from('\n')]));
    this.#socket.resume();
    letGo(this.#socket);
  }

  get #maxOpeningBytes(): number {
    const { auth, maxBodyBytes } = this.#host.settings();
    return auth === OPEN_ACCESS ? maxBodyBytes : Math.min(UNPROVED_BYTES, maxBodyBytes);
  }

  #onSilence(): void {
    this.#host.refusals.note(408, 'a TCP client has not sent a whole first message in time');
    this.#socket.destroy();
  }

  #onOpening(opening: Opening): void {
    clearTimeout(this.#patience);
    switch (opening.kind) {
      case 'line':
        this.#onLine(opening);
        break;
      case 'foreign':
        this.#host.refusals.note(0, 'data over TCP is not JSON-RPC: perhaps a request of a web page, or TLS');
        this.#socket.destroy();
        break;
      case 'too-large':
        this.refuse(tooLarge(this.#maxOpeningBytes), 'null', 413);
        break;
      case 'gone':
        this.#socket.destroy();
    }
  }

  #onLine({ line, proceed }: Extract<Opening, { kind: 'line' }>): void {
    const message = readLine(line);
    if (message === undefined) {
      this.refuse({ code: -32700, message: 'Parse error: the line is not valid JSON' });
      return;
    }
    const id = message.kind === 'request' ? message.id : 'null';
    const presented = presentedIn(message);
    const input = proceed(line);
    const { authorization } = presented;
    const outcome = this.#host.settings().auth.authenticate({ authorization, address: this.#address });
    const go = (found: Credential | Rejection) => {
      if ('status' in found) this.refuse(withAdvice(found), id, found.status);
      else this.#onCredential(found, presented, id, input);
    };
    if (outcome instanceof Promise) void outcome.then(go);
    else go(outcome);
  }

  #onCredential(credential: Credential, { profile }: Presented, id: IdToken, input: Readable): void {
    if (this.#socket.destroyed || this.#isRefused) return;
    if (profile !== undefined && !this.#host.options.hasProfile(profile)) {
      this.refuse({ code: -32602, message: 'Not found: there is no such profile' }, id, 404);
      return;
    }
    this.#credential = credential;
    this.#client = serveSocket(this.#socket, input, this.#host, {
      credential,
      profile: profile ?? DEFAULT_PROFILE,
      address: this.#address,
    });
    // The config may have changed while keys were fetched.
    this.closeIfStale(Date.now());
  }
}

/** Returns `undefined` if the line is no JSON. */
function readLine(line: Buffer): Message | undefined {
  try {
    return readMessage(Frame.ofPeer(line));
  } catch (error) {
    if (error instanceof JsonTextError) return undefined;
    throw error;
  }
}

const tooLarge = (bytes: number): ErrorBody => ({
  code: -32600,
  message: `Invalid request: the first message is larger than ${bytes} bytes`,
});

/** Over HTTP a header says where the token belongs. */
function withAdvice({ status, error, headers = {} }: Rejection): ErrorBody {
  const seconds = Number(headers['retry-after']);
  if (status !== 401) return Number.isNaN(seconds) ? error : { ...error, data: { retryAfterMs: seconds * 1_000 } };
  const advice = `the first request has it in params._meta, as "${AUTHORIZATION_KEY}": "Bearer TOKEN"`;
  return { ...error, message: `${error.message}; ${advice}` };
}
