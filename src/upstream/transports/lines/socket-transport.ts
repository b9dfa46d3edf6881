import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Bytes } from '../../../wire/bytes.ts';
import { faultReason } from '../network/network-fault.ts';
import type { FrameLimit, Transport, TransportEvents } from '../transport.ts';
import { LineStream } from './line-stream.ts';

/** The time that a peer has to close its side after we close ours, in milliseconds. */
const GOODBYE_MS = 500;

/** JSON-RPC in lines over a socket that is being connected; what is sent meanwhile waits in it. */
export class SocketTransport implements Transport {
  readonly pid = undefined;
  readonly #socket: Socket;
  readonly #events: TransportEvents;
  readonly #lines: LineStream;
  #wasReached = false;
  #isClosed = false;
  #closing: Promise<void> | undefined;

  constructor(socket: Socket, events: TransportEvents, limits: FrameLimit) {
    this.#socket = socket;
    this.#events = events;
    // A peer that says no more is gone: there is no way to tell whether it still listens.
    const onEnd = () => this.#end('it closed the connection');
    this.#lines = new LineStream({ input: socket, output: socket, limits, onEnd }, events);
    socket.once('connect', () => {
      this.#wasReached = true;
    });
    socket.on('error', (error) => this.#end(faultReason(error, this.#wasReached)));
  }

  get wasReached(): boolean {
    return this.#wasReached;
  }

  get queuedBytes(): number {
    return this.#lines.queuedBytes;
  }

  send(frame: Bytes): void {
    this.#lines.send(frame);
  }

  reward(): void {
    this.#lines.reward();
  }

  close(): Promise<void> {
    this.#isClosed = true;
    this.#closing ??= this.#leave();
    return this.#closing;
  }

  async #leave(): Promise<void> {
    this.#lines.stop();
    if (!this.#socket.connecting && !this.#socket.destroyed) {
      const isGone = new Promise((resolve) => this.#socket.once('close', resolve));
      this.#socket.end();
      await Promise.race([isGone, delay(GOODBYE_MS, undefined, { ref: false })]);
    }
    this.#socket.destroy();
  }

  #end(reason: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#lines.stop();
    this.#socket.destroy();
    this.#closing ??= Promise.resolve();
    this.#events.onClosed(reason);
  }
}
