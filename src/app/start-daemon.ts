import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Config } from '../config/schema.ts';
import { DEFAULT_PROFILE } from '../core/admittance.ts';
import { HttpServer } from '../downstream/http/http-server.ts';
import { listenLocally } from '../downstream/local-socket.ts';
import { StreamClient } from '../downstream/stream-client.ts';
import type { Log } from '../telemetry/log.ts';
import { connectToDaemon, removeRecord, writeRecord } from './daemon-record.ts';
import type { Gateway } from './gateway.ts';
import { daemonPaths } from './paths.ts';

/** Requests over HTTP may have so many bytes at most, however large frames may be. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;

export interface DaemonOptions {
  readonly gateway: Gateway;
  readonly config: Config;
  readonly configPath: string;
  readonly home: string;
  readonly host: string;
  readonly port: number;
  readonly log: Log;
}

export interface Daemon {
  readonly url: string;
  /**
   * Takes no more clients and no more calls. Resolves when the last call is answered, after `ms` milliseconds at the
   * latest.
   */
  drain(ms: number): Promise<void>;
  /** Ends what clients are left. */
  close(): Promise<void>;
}

/** Another gateway serves this config already. */
export class AlreadyRunningError extends Error {
  constructor(pid: number, url: string) {
    super(`a gateway for this config runs already: ${url} (pid ${pid})`);
    this.name = 'AlreadyRunningError';
  }
}

/**
 * Opens the gateway to clients: over HTTP, and for this user's own programs over a local socket.
 * @throws AlreadyRunningError; Error when the port cannot be listened on.
 */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const { gateway, config, log } = options;
  const paths = daemonPaths(options.home, options.configPath);
  const running = await connectToDaemon(paths);
  if (running !== undefined) {
    running.socket.destroy();
    throw new AlreadyRunningError(running.record.pid, running.record.url);
  }
  const http = new HttpServer({
    host: options.host,
    port: options.port,
    allowedHosts: config.server.allowedHosts,
    allowedOrigins: config.server.allowedOrigins,
    maxBodyBytes: Math.min(config.limits.frameBytes, MAX_BODY_BYTES),
    log,
    hasProfile: (name) => gateway.hasProfile(name),
    openSession: (sessionOptions) => gateway.openSession(sessionOptions),
    openModern: (clientOptions) => gateway.openModernClient(clientOptions),
  });
  await http.listen();
  const local = await listenLocally(paths.socket, (socket) => serveLocally(socket, options)).catch(async (error) => {
    await http.close();
    throw error;
  });
  writeRecord(paths, { pid: process.pid, url: http.url });
  return {
    url: http.url,
    async drain(ms) {
      removeRecord(paths);
      local.stopListening();
      log.info({ event: 'drain', calls: gateway.openCalls }, 'no more calls are taken; those that run may end');
      await Promise.all([gateway.drain(ms), http.drain(ms)]);
      log.info({ event: 'drained', calls: gateway.openCalls }, 'done with the calls that ran');
    },
    async close() {
      removeRecord(paths);
      await Promise.all([http.close(), local.close()]);
    },
  };
}

function serveLocally(socket: Socket, { gateway, config, log }: DaemonOptions): StreamClient {
  const hasProfile = (name: string) => name === DEFAULT_PROFILE || gateway.hasProfile(name);
  const options = { input: socket, output: socket, log, maxFrameBytes: config.limits.frameBytes, hasProfile };
  return serveStream(gateway, options, 'local');
}

type StreamOptions = Omit<ConstructorParameters<typeof StreamClient>[0], 'openSession' | 'openModern'>;

/**
 * A client on a pair of streams that only this user can hold. It may use the control methods too, unless it is bound to a
 * profile.
 */
export function serveStream(gateway: Gateway, options: StreamOptions, transport: string): StreamClient {
  return new StreamClient({
    ...options,
    openSession: (arrival, output) => {
      const extraMethods = arrival.profile === undefined ? gateway.controlMethods : gateway.profileMethods;
      return gateway.openSession({ ...arrival, id: randomUUID(), transport, output, extraMethods });
    },
    openModern: (arrival) => gateway.openModernClient({ ...arrival, id: randomUUID(), transport, isOneProgram: true }),
  });
}
