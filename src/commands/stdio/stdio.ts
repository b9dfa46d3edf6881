import type { Socket } from 'node:net';
import { DEFAULT_PROFILE } from '../../core/access/client-grant.ts';
import { depthIn } from '../../core/agent-depth.ts';
import type { RunningDaemon } from '../../gateway/serving/daemon-record.ts';
import { ConfigChangedError } from '../../gateway/shared/find-or-start.ts';
import { wasStopped } from '../../gateway/shared/stop-mark.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { onFault } from '../terminal/fault.ts';
import { printError } from '../terminal/print.ts';
import { requireProfileOf } from '../terminal/require-profile.ts';
import { exitWhenWritten, onSignal } from '../terminal/shutdown.ts';
import { attach } from './attach.ts';
import { findGateway } from './find-gateway.ts';
import { readConfig } from './read-config.ts';
import type { StdioClient, StdioServing } from './stdio-client.ts';

interface StdioOptions {
  readonly config?: string;
  readonly profile?: string;
}

/** A config that is written all the time is read this often. */
const MAX_READINGS = 10;

/** Serves one client on standard input and output until it leaves. */
export async function stdio(options: StdioOptions): Promise<void> {
  const serving = await open(options, {
    input: process.stdin,
    output: process.stdout,
    folder: process.cwd(),
    profile: options.profile ?? DEFAULT_PROFILE,
  });
  onSignal((signal) => serving.stop(`signal ${signal}`));
  const { clean, reason } = await serving.ended;
  await serving.stop(reason);
  if (!clean) printError(`viaduct: ${reason}`);
  exitWhenWritten(clean ? EXIT.ok : EXIT.failed);
}

async function open(options: StdioOptions, client: StdioClient): Promise<StdioServing> {
  for (let readings = 1; ; readings++) {
    try {
      return await openOnce(options, client);
    } catch (error) {
      if (!(error instanceof ConfigChangedError) || readings >= MAX_READINGS) throw error;
    }
  }
}

async function openOnce({ config, profile }: StdioOptions, client: StdioClient): Promise<StdioServing> {
  const { found, settings } = await readConfig(config);
  if (found !== undefined) requireProfileOf(found.facts.profiles, found.configPath, profile);
  const gateway = found === undefined ? undefined : await findGateway(found, process.env);
  if (gateway === undefined || !('socket' in gateway))
    return (await import('./private-stdio.ts')).servePrivately({ flag: config, settings, instead: gateway }, client);
  const serving = attach(gateway, { ...client, depth: depthIn(process.env) }, successorsOf(config, gateway));
  const log = {
    fatal: (fault: object, message: string) => printError(`viaduct: ${message}: ${JSON.stringify(fault)}`),
  };
  onFault({ log, stop: () => serving.stop('a fault of viaduct stdio') });
  return serving;
}

/**
 * Returns the function that finds or starts the gateway that takes the place of one that has ended.
 * @param flag the config that the client was started with
 * @param first the gateway that serves the client now
 */
function successorsOf(flag: string | undefined, first: RunningDaemon): () => Promise<Socket | undefined> {
  let { pid } = first.record;
  return async () => {
    const { found } = await readConfig(flag);
    if (found === undefined) return undefined;
    if (wasStopped(found.home, pid)) throw new Error('it was stopped with `viaduct stop`');
    const gateway = await findGateway(found, process.env).catch(unlessConfigChanged);
    // If clients have gateways of their own, `viaduct serve` may still be started again.
    if (gateway === undefined || !('socket' in gateway)) return undefined;
    pid = gateway.record.pid;
    return gateway.socket;
  };
}

/** Makes the client try again if its config was changed meanwhile. */
function unlessConfigChanged(error: unknown): undefined {
  if (!(error instanceof ConfigChangedError)) throw error;
}
