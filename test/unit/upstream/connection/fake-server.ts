import { createLog } from '../../../../src/telemetry/log.ts';
import type { ConnectionOptions, ConnectionOwner } from '../../../../src/upstream/connection/connection-options.ts';
import { PeerFaults } from '../../../../src/upstream/connection/peer-faults.ts';
import type { Transport, TransportDefinition, TransportEvents } from '../../../../src/upstream/transports/transport.ts';
import { toBuffer } from '../../../../src/wire/bytes.ts';
import { Frame } from '../../../../src/wire/frame.ts';
import { optionsOf } from '../sharing/memory-pool.ts';

/** One opened transport whose peer is the test. */
export class FakePeer {
  readonly sent: { readonly id?: number; readonly method?: string; readonly params?: any }[] = [];
  readonly events: TransportEvents;
  isClosed = false;
  /** Whether the peer may answer what is open when the connection is replaced. */
  mayFinish = false;
  credentialsChanges = 0;
  wasReached = false;
  /** Resolves when the process is gone; at once without it. */
  closing: Promise<void> | undefined;

  constructor(events: TransportEvents) {
    this.events = events;
  }

  get methods(): (string | undefined)[] {
    return this.sent.map(({ method }) => method);
  }

  readonly transport: Transport = {
    pid: 1,
    queuedBytes: 0,
    send: (bytes) => void this.sent.push(JSON.parse(toBuffer(bytes).toString())),
    finish: () => this.mayFinish,
    onCredentialsChanged: () => void this.credentialsChanges++,
    close: async () => {
      this.isClosed = true;
      await this.closing;
    },
  };

  hear(message: object): void {
    this.events.onFrame(Frame.of(Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }))));
  }

  /** Answers the handshake as a legacy server. */
  greet(): void {
    const { id } = this.sent.find(({ method }) => method === 'initialize')!;
    const serverInfo = { name: 's', version: '1' };
    this.hear({ id, result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo } });
  }
}

/** A server whose transports are opened by the test, and the options of a connection to it. */
export class FakeServer {
  readonly peers: FakePeer[] = [];
  /** The next transport cannot be opened. */
  problem: Error | undefined;
  /** What is told to the owner, in order. */
  readonly told: string[] = [];
  isAskingCulprit = false;
  knowsTools = false;

  get last(): FakePeer {
    return this.peers.at(-1)!;
  }

  readonly owner: ConnectionOwner = {
    onConnected: (_link, { era }) => void this.told.push(`connected ${era}`),
    onDisconnected: (reason, isLost) => void this.told.push(`disconnected ${reason} ${isLost}`),
    onState: ({ name }) => void this.told.push(name),
    onStderr: (line) => void this.told.push(`stderr ${line}`),
    toolText: () => undefined,
    hasOpenCalls: false,
    isAskingCulprit: false,
    knowsTools: false,
    onMissed: () => void this.told.push('missed'),
    onAsk: ({ method }) => void this.told.push(`ask ${method}`),
    onAskCancelled: () => undefined,
    onNotification: ({ method }) => void this.told.push(`notification ${method}`),
    onLateProgress: () => false,
  };

  readonly #definition: TransportDefinition = {
    open: async (_entry, events) => {
      if (this.problem !== undefined) throw this.problem;
      const peer = new FakePeer(events);
      this.peers.push(peer);
      return Object.defineProperty(peer.transport, 'wasReached', { get: () => peer.wasReached });
    },
  };

  options(entry: ConnectionOptions['entry']): ConnectionOptions {
    const log = createLog({ level: 'silent' });
    const { transport, clientInfo, passed, eras } = optionsOf(entry);
    const mask = (text: string) => text.replace('secret', '***');
    const faults = new PeerFaults(log, mask);
    return {
      entry,
      transport,
      clientInfo,
      passed,
      eras,
      log,
      mask,
      faults,
      transportFor: async () => this.#definition,
    };
  }
}
