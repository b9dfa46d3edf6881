import { onTestFinished } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import { LiveFeed } from '../../../../src/core/providers/live-feed.ts';
import { createLog } from '../../../../src/telemetry/log.ts';
import { LiveServer, type LiveServerOptions } from '../../../../src/workflows/live/live-server.ts';

export const TOKEN = 'correct-horse-battery';

export interface LiveSetup {
  readonly feed: LiveFeed;
  readonly server: LiveServer;
  /** What was logged. */
  readonly lines: any[];
}

/** A hub on a free port of 127.0.0.1, with a feed. */
export async function startHub(options: Partial<LiveServerOptions> = {}, host = '127.0.0.1'): Promise<LiveSetup> {
  const feed = new LiveFeed();
  const lines: any[] = [];
  const log = createLog({ level: 'debug', destination: { write: (line) => lines.push(JSON.parse(line)) } });
  const defaults = { allowedHosts: [], allowedOrigins: [], token: undefined, slowMs: 30_000, checkMs: 30_000 };
  const server = await LiveServer.listen({ host, port: 0 }, { ...defaults, feed, log, ...options });
  onTestFinished(() => server.close());
  return { feed, server, lines };
}

/** A client that keeps what it is sent. */
export class Client {
  readonly socket: WebSocket;
  readonly messages: any[] = [];
  /** Code and reason, once it is closed. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data: Buffer) => this.messages.push(JSON.parse(data.toString())));
    this.closed = new Promise((resolve) => {
      socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
    });
  }

  static async open(url: string, options: ClientOptions = {}): Promise<Client> {
    const socket = new WebSocket(url, { perMessageDeflate: false, ...options });
    const client = new Client(socket);
    onTestFinished(() => socket.terminate());
    await new Promise((resolve, reject) => {
      socket.on('open', resolve);
      socket.on('error', reject);
    });
    return client;
  }

  say(message: unknown): void {
    this.socket.send(typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message));
  }

  /** Resolves when all that was said before has been heard, and what was answered is here. */
  async settle(): Promise<void> {
    const isPong = (data: Buffer) => JSON.parse(data.toString()).type === 'pong';
    const answered = new Promise<void>((resolve) => {
      const look = (data: Buffer) => {
        if (!isPong(data)) return;
        this.socket.off('message', look);
        resolve();
      };
      this.socket.on('message', look);
    });
    this.say({ type: 'ping' });
    await answered;
  }

  async subscribe(...channels: string[]): Promise<void> {
    for (const data of channels) this.say({ type: 'subscribe', data });
    await this.settle();
    this.messages.length = 0;
  }
}

export const output = (data: string, channel = 'process:proc-1') =>
  ({ channel, type: 'process_output', processId: channel.slice('process:'.length), data }) as const;
