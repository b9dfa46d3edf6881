import type { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { PROFILE_NOTIFICATION } from '../../core/access/client-grant.ts';
import { depthIn } from '../../core/agent-depth.ts';
import { FOLDER_NOTIFICATION } from '../../core/providers/client-folder.ts';
import { connectToDaemon, type RunningDaemon } from '../../gateway/serving/daemon-record.ts';
import { daemonPaths } from '../../gateway/settings/paths.ts';
import type { VisitorSettings } from '../../gateway/settings/visitor-settings.ts';
import { VERSION } from '../../gateway/version.ts';

/** The time to wait for the first message, in milliseconds. Clients send it at once. */
const INTRODUCTION_MS = 250;

export interface StdioServing {
  /** Resolves when the client has gone; `clean` is whether the client itself ended the connection. */
  readonly ended: Promise<{ readonly clean: boolean; readonly reason: string }>;
  stop(reason: string): Promise<void>;
}

/** The program that started `viaduct stdio`. */
export interface StdioClient {
  readonly input: Readable;
  readonly output: Writable;
  /** The folder it was started in. */
  readonly folder: string;
  /** The profile of its client. */
  readonly profile: string;
}

/**
 * Serves one client on a pair of streams: through the gateway that runs for this config, so that all clients share its
 * upstreams, else with a gateway of its own.
 * @throws ConfigError when it needs one of its own and the config cannot be used
 */
export async function serveStdio(
  settings: VisitorSettings,
  env: Readonly<Record<string, string | undefined>>,
  client: StdioClient,
): Promise<StdioServing> {
  const daemon = await connectToDaemon(daemonPaths(settings.home, settings.configPath));
  if (daemon !== undefined && daemon.record.version === VERSION)
    return attach(daemon, settings, { ...client, depth: depthIn(env) });
  if (daemon !== undefined) {
    daemon.socket.destroy();
    const { pid, version } = daemon.record;
    settings.log.warn(
      { pid, version, ours: VERSION },
      'the gateway that runs is of another version; this client gets its own',
    );
  }
  if (settings.config === undefined) throw settings.error;
  // This is most of the code, and a client attached to a running gateway needs none of it.
  const [{ Gateway }, { serveStream }] = await Promise.all([
    import('../../gateway/gateway.ts'),
    import('../../gateway/serving/serve-stream.ts'),
  ]);
  const gateway = await Gateway.load({ ...settings, env, isForOneClient: true });
  const { log } = settings;
  // Upstreams are told what the client can do, if it says so soon: it is the only one.
  const timer = setTimeout(() => gateway.start(), INTRODUCTION_MS);
  const onArrival = () => {
    clearTimeout(timer);
    gateway.start();
  };
  const options = { ...client, log, maxFrameBytes: () => gateway.clients.maxFrameBytes, onArrival };
  const served = serveStream(gateway, options, 'stdio');
  return {
    ended: served.ended.then((reason) => ({ clean: true, reason })),
    async stop(reason) {
      // Streams of changes get their end while they can still be told.
      clearTimeout(timer);
      await gateway.drain(0);
      served.close(reason);
      await gateway.stop(reason);
    },
  };
}

/** Copies bytes in both directions. The running gateway does the rest, once it knows in which folder the client works. */
function attach(
  { socket, record }: RunningDaemon,
  { log }: Pick<VisitorSettings, 'log'>,
  client: StdioClient & { readonly depth: number },
): StdioServing {
  const { input, output, folder, profile, depth } = client;
  log.debug({ pid: record.pid, url: record.url }, 'attached to the gateway that runs');
  let inputEnded = false;
  input.on('end', () => {
    inputEnded = true;
  });
  // It may be a socket whose client was killed.
  input.on('error', () => {
    inputEnded = true;
    socket.destroy();
  });
  const tell = (method: string, params: object) =>
    socket.write(`${JSON.stringify({ jsonrpc: '2.0', method, params })}\n`);
  tell(PROFILE_NOTIFICATION, { profile });
  tell(FOLDER_NOTIFICATION, { folder, depth: String(depth) });
  input.pipe(socket);
  socket.pipe(output, { end: false });
  output.on('error', () => socket.destroy());
  const ended = finished(socket, { writable: false }).then(
    () => ({ clean: inputEnded, reason: 'the gateway has closed the connection' }),
    (error: Error) => ({ clean: inputEnded, reason: `the connection to the gateway broke: ${error.message}` }),
  );
  return {
    ended,
    stop: async () => {
      socket.destroy();
    },
  };
}
