import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { RefusalLog } from '../../telemetry/refusal-log.ts';
import { linger } from './linger.ts';

/** Everything else that cannot be read as HTTP is a 400. */
const STATUS_OF = new Map([
  ['HPE_HEADER_OVERFLOW', 431],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
]);

/** Answers what is no HTTP, or comes too slowly to be, and closes the connection. */
export class ClientErrors {
  readonly #log: RefusalLog;
  /** The newest answer on each connection: nothing may be written into the middle of one. */
  readonly #answers = new WeakMap<Socket, ServerResponse>();
  /** Connections that have had their answer. The parser complains of every piece that still comes on them. */
  readonly #ending = new WeakSet<Socket>();

  constructor(log: RefusalLog) {
    this.#log = log;
  }

  onRequest(socket: Socket, response: ServerResponse): void {
    this.#answers.set(socket, response);
  }

  /** Listens to the server's `clientError`. */
  onError(error: NodeJS.ErrnoException, socket: Socket): void {
    if (this.#ending.has(socket)) return;
    const { code = '' } = error;
    // The client has gone: nobody was refused anything.
    if (code === 'ECONNRESET' || code === 'EPIPE' || !socket.writable) {
      socket.destroy();
      return;
    }
    this.#ending.add(socket);
    const status = STATUS_OF.get(code) ?? 400;
    this.#log.note(status, `not readable as HTTP: ${code}`);
    const answer = this.#answers.get(socket);
    const isAnswering = answer?.headersSent === true && !answer.writableFinished;
    if (!isAnswering)
      socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    socket.end();
    linger(socket, () => socket.destroySoon());
  }
}
