import type { Config } from '../../config/schema.ts';
import { exposureProblem } from '../../config/server/exposure.ts';
import { newToken } from '../../core/handshake/proofs.ts';
import { HttpServer } from '../../downstream/http/http-server.ts';
import type { Certificate } from '../../downstream/http/server/certificate.ts';
import type { ClientsHost } from '../../downstream/http/server/server-options.ts';
import type { LocalSocket } from '../../downstream/local-socket.ts';
import { UnreadBudget } from '../../downstream/unread/unread-budget.ts';
import { withFileLock } from '../../store/file-lock.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Gateway } from '../gateway.ts';
import { type DaemonPaths, daemonPaths, newSocket } from '../settings/paths.ts';
import { readCertificate, watchCertificate } from './certificate-files.ts';
import { clientFolderRule } from './client-folders.ts';
import { connectToDaemon, removeLeftSocket, writeRecord } from './daemon-record.ts';
import { HttpSettingsMaker } from './http-settings.ts';
import { listenProblem } from './listen-problem.ts';
import { openLocalDoor } from './local-door.ts';
import type { TcpPlace } from './tcp-address.ts';
import { TcpListener } from './tcp-listener.ts';
import { UnprotectedError } from './unprotected-error.ts';

export interface DaemonOptions {
  readonly gateway: Gateway;
  readonly config: Config;
  readonly configPath: string;
  readonly home: string;
  readonly host: string;
  readonly port: number;
  /** Returns the address at which a config wants clients with line-based connections to connect; `undefined` if none. */
  readonly tcpPlaceOf: (config: Config) => TcpPlace | undefined;
  readonly log: Log;
}

export interface Daemon {
  readonly url: string;
  /** Url for clients that speak in lines; `undefined` while they cannot connect. */
  readonly tcpUrl: string | undefined;
  /**
   * Goes over to another config: who may come in, and within which limits. The address of HTTP stays, and whether there is
   * TLS; that of clients that speak in lines follows the config.
   * @throws UnprotectedError when that would leave it open to others, Error when its certificate cannot be used, or another
   * address cannot be listened on; nothing else changes then
   */
  reload(config: Config): Promise<void>;
  /**
   * Takes no more clients and no more calls. Resolves when the last call is answered, after `ms` milliseconds at the
   * latest.
   */
  drain(ms: number): Promise<void>;
  /** Ends what clients are left. */
  close(): Promise<void>;
}

/** Thrown if another gateway serves this config already. */
export class AlreadyRunningError extends Error {
  constructor(pid: number, url = 'without a url') {
    super(`a gateway for this config runs already: ${url} (pid ${pid})`);
    this.name = 'AlreadyRunningError';
  }
}

/**
 * Opens the gateway to clients: over HTTP, over TCP where the config wants that, and for this user's own programs over a local socket. Of several that start at the
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
  const certificate = tls === undefined ? undefined : readCertificate(tls);
  const clients: ClientsHost = {
    log,
    unread,
    hasProfile: (name) => gateway.clients.hasProfile(name),
    openSession: (sessionOptions) => gateway.clients.openSession({ ...sessionOptions, folderRule }),
    openModern: (clientOptions) => gateway.clients.openModern({ ...clientOptions, folderRule }),
  };
  const http = await HttpServer.open({
    ...clients,
    host,
    port: options.port,
    settings: settings.make(config),
    certificate,
    health: () => gateway.reports.health(),
  });
  await http.listen().catch((error: unknown) => {
    throw listenProblem(error, options);
  });
  let announced: Announced | undefined;
  const tcp = new TcpListener({ ...clients, onMoved: (url) => announced?.tell(url) }, certificate);
  const opening = openTcp(tcp, options, settings).then(() => announce(options, { paths, http, unread, tcp }));
  announced = await opening.catch(async (error) => {
    await Promise.all([http.close(), tcp.close()]);
    throw error;
  });
  const { local, removeRecord } = announced;
  const onCertificate = (renewed: Certificate) => {
    http.setCertificate(renewed);
    tcp.setCertificate(renewed);
  };
  const certificates = tls === undefined ? undefined : watchCertificate(tls, onCertificate, log);
  return {
    url: http.url,
    get tcpUrl() {
      return tcp.url;
    },
    async reload(changed) {
      checkProtection(host, changed, isSecure);
      const place = options.tcpPlaceOf(changed);
      tcp.check(place, changed.server);
      if (changed.server.tls !== undefined) certificates?.follow(changed.server.tls);
      const made = settings.make(changed);
      await tcp.move(place, made);
      http.configure(made);
      tcp.configure(made);
      workspace = changed.workspace;
    },
    async drain(ms) {
      removeRecord();
      local.stopListening();
      tcp.stopListening();
      log.info({ event: 'drain', calls: gateway.clients.openCalls }, 'no more calls are taken; those that run may end');
      await Promise.all([gateway.drain(ms), http.drain(ms)]);
      log.info({ event: 'drained', calls: gateway.clients.openCalls }, 'done with the calls that ran');
    },
    async close() {
      removeRecord();
      await certificates?.close();
      await Promise.all([http.close(), tcp.close(), local.close()]);
    },
  };
}

async function openTcp(tcp: TcpListener, options: DaemonOptions, settings: HttpSettingsMaker): Promise<void> {
  const { config } = options;
  const place = options.tcpPlaceOf(config);
  tcp.check(place, config.server);
  await tcp.move(place, settings.make(config));
}

interface Opened {
  readonly paths: DaemonPaths;
  readonly http: HttpServer;
  readonly unread: UnreadBudget;
  readonly tcp: TcpListener;
}

interface Announced {
  readonly local: LocalSocket;
  /** Tells this user's programs of another address for clients that speak in lines. */
  tell(tcp: string | undefined): void;
  readonly removeRecord: () => void;
}

/** Listens for this user's own programs, and tells them where. */
async function announce(options: DaemonOptions, { paths, http, unread, tcp }: Opened): Promise<Announced> {
  const socket = newSocket(paths);
  const secret = newToken();
  const local = await openLocalDoor(options.gateway, { file: socket, secret, log: options.log, unread });
  const write = (tcpUrl: string | undefined) =>
    writeRecord(paths, { url: http.url, socket, secret, ...(tcpUrl !== undefined && { tcp: tcpUrl }) });
  try {
    let remove = write(tcp.url);
    return {
      local,
      tell(tcpUrl) {
        remove = write(tcpUrl);
      },
      removeRecord: () => remove(),
    };
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
