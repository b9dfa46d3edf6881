import type { Socket } from 'node:net';
import { type ExposureProblem, exposureProblem } from '../config/exposure.ts';
import type { Config } from '../config/schema.ts';
import { DEFAULT_PROFILE } from '../core/admittance.ts';
import { HttpServer } from '../downstream/http/http-server.ts';
import { listenLocally } from '../downstream/local-socket.ts';
import type { StreamClient } from '../downstream/stream-client.ts';
import { UnreadBudget } from '../downstream/unread/unread-budget.ts';
import { withFileLock } from '../store/file-lock.ts';
import type { Log } from '../telemetry/log.ts';
import { readCertificate, watchCertificate } from './certificate-files.ts';
import { clientFolderRule } from './client-folders.ts';
import { connectToDaemon, removeLeftSocket, writeRecord } from './daemon-record.ts';
import type { Gateway } from './gateway.ts';
import { HttpSettingsMaker } from './http-settings.ts';
import { listenProblem } from './listen-problem.ts';
import { type DaemonPaths, daemonPaths, newSocket } from './paths.ts';
import { serveStream } from './serve-stream.ts';

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
   * Goes over to another config: who may come in, and within which limits. The address stays, and whether it is HTTPS.
   * @throws UnprotectedError when that would leave it open to others, Error when its certificate cannot be used; nothing
   * changes then
   */
  reload(config: Config): void;
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

/** Others than this machine's users could reach the gateway, and nothing would keep them out. */
export class UnprotectedError extends Error {
  constructor(host: string, { message, hint }: ExposureProblem) {
    super(`it does not listen on ${host}: ${message} (${hint})`);
    this.name = 'UnprotectedError';
  }
}

/**
 * Opens the gateway to clients: over HTTP, and for this user's own programs over a local socket. Of several that start at the
 * same time for one config, one does.
 * @throws UnprotectedError; AlreadyRunningError; Error when the port cannot be listened on, or the record of the gateway cannot
 *   be written.
 */
export function startDaemon(options: DaemonOptions): Promise<Daemon> {
  checkProtection(options.host, options.config, options.config.server.tls !== undefined);
  const paths = daemonPaths(options.home, options.configPath);
  return withFileLock(`${paths.record}.lock`, async () => {
    const running = await connectToDaemon(paths);
    if (running !== undefined) {
      running.socket.destroy();
      throw new AlreadyRunningError(running.record.pid, running.record.url);
    }
    removeLeftSocket(paths);
    return openDaemon(options, paths);
  });
}

async function openDaemon(options: DaemonOptions, paths: DaemonPaths): Promise<Daemon> {
  const { gateway, config, log, host } = options;
  const { tls } = config.server;
  const isSecure = tls !== undefined;
  const settings = new HttpSettingsMaker(log);
  let { workspace } = config;
  const folderRule = clientFolderRule(() => workspace, log);
  const unread = new UnreadBudget(log);
  const http = await HttpServer.open({
    host,
    port: options.port,
    settings: settings.make(config),
    certificate: tls === undefined ? undefined : readCertificate(tls),
    log,
    unread,
    hasProfile: (name) => gateway.hasProfile(name),
    openSession: (sessionOptions) => gateway.openSession({ ...sessionOptions, folderRule }),
    openModern: (clientOptions) => gateway.openModernClient({ ...clientOptions, folderRule }),
    health: () => gateway.health(),
  });
  await http.listen().catch((error: unknown) => {
    throw listenProblem(error, options);
  });
  const { local, removeRecord } = await announce(options, { paths, http, unread }).catch(async (error) => {
    await http.close();
    throw error;
  });
  const certificates =
    tls === undefined ? undefined : watchCertificate(tls, (certificate) => http.setCertificate(certificate), log);
  return {
    url: http.url,
    reload(changed) {
      checkProtection(host, changed, isSecure);
      if (changed.server.tls !== undefined) certificates?.follow(changed.server.tls);
      http.configure(settings.make(changed));
      workspace = changed.workspace;
    },
    async drain(ms) {
      removeRecord();
      local.stopListening();
      log.info({ event: 'drain', calls: gateway.openCalls }, 'no more calls are taken; those that run may end');
      await Promise.all([gateway.drain(ms), http.drain(ms)]);
      log.info({ event: 'drained', calls: gateway.openCalls }, 'done with the calls that ran');
    },
    async close() {
      removeRecord();
      await certificates?.close();
      await Promise.all([http.close(), local.close()]);
    },
  };
}

interface Opened {
  readonly paths: DaemonPaths;
  readonly http: HttpServer;
  readonly unread: UnreadBudget;
}

/** Listens for this user's own programs, and tells them where. */
async function announce(options: DaemonOptions, { paths, http, unread }: Opened) {
  const socket = newSocket(paths);
  const local = await listenLocally(socket, (client) => serveLocally(client, options, unread));
  try {
    return { local, removeRecord: writeRecord(paths, { pid: process.pid, url: http.url, socket }) };
  } catch (error) {
    await local.close();
    throw error;
  }
}

/**
 * `config.server.host` was looked at with the config; but the command line may name another one, and a server that runs
 * does not begin to speak TLS.
 */
function checkProtection(host: string, { server }: Config, isSecure: boolean): void {
  const { tokens, oauth, tls, behindProxy } = server;
  const proofs = { tokens: tokens !== undefined, oauth: oauth !== undefined };
  const problem = exposureProblem(host, { ...proofs, tls: isSecure, behindProxy });
  if (problem === undefined) return;
  const isLate = tls !== undefined && !isSecure;
  throw new UnprotectedError(
    host,
    isLate ? { ...problem, hint: 'server.tls is used from the next start on' } : problem,
  );
}

function serveLocally(socket: Socket, { gateway, log }: DaemonOptions, unread: UnreadBudget): StreamClient {
  const hasProfile = (name: string) => name === DEFAULT_PROFILE || gateway.hasProfile(name);
  const maxFrameBytes = () => gateway.maxFrameBytes;
  const options = { input: socket, output: socket, log, maxFrameBytes, unread, hasProfile };
  return serveStream(gateway, options, 'local');
}
