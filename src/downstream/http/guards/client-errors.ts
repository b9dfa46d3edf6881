import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { RefusalLog } from '../../../telemetry/refusal-log.ts';
import { toBuffer } from '../../../wire/bytes.ts';
import { errorReply } from '../../../wire/reply.ts';
import { HEADERS_MS, MAX_HEADER_BYTES, REQUEST_MS } from '../server/open-server.ts';
import { linger } from './linger.ts';

const TOO_SLOW =
  `Request Timeout: the headers of a request must arrive within ${HEADERS_MS / 1_000} s of its start, or of the start of a ` +
  `new connection, and all of it within ${REQUEST_MS / 1_000} s; it was not served, send it again`;

/** The responses to errors of the HTTP parser; any other request that cannot be read as HTTP gets a 400. */
const REFUSALS = new Map<string, readonly [status: number, message: string]>([
  [
    'HPE_HEADER_OVERFLOW',
    [431, `Request Header Fields Too Large: the headers of a request may have ${MAX_HEADER_BYTES} bytes`],
  ],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', [413, 'Content Too Large: the chunk extensions of the body are too long']],
  ['ERR_HTTP_REQUEST_TIMEOUT', [408, TOO_SLOW]],
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
    // The client has gone: nothing was refused.
    if (code === 'ECONNRESET' || code === 'EPIPE' || !socket.writable) {
      socket.destroy();
      return;
    }
    this.#ending.add(socket);
    const [status, message] = REFUSALS.get(code) ?? [400, `Bad Request: this is not readable as HTTP (${code})`];
    this.#log.note(status, `not readable as HTTP: ${code}`);
    const answer = this.#answers.get(socket);
    const isAnswering = answer?.headersSent === true && !answer.writableFinished;
    if (!isAnswering) socket.write(answerWith(status, message));
    socket.end();
    linger(socket, () => socket.destroySoon());
  }
}

/** Returns a whole response with a JSON-RPC error, as every other refusal has one. */
function answerWith(status: number, message: string): Buffer {
  const body = toBuffer(errorReply({ code: -32600, message }).withId('null'));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
}
