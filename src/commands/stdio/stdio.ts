import type { Socket } from 'node:net';
import { DEFAULT_PROFILE } from '../../core/access/client-grant.ts';
import { depthIn } from '../../core/agent-depth.ts';
import { ConfigChangedError } from '../../gateway/shared/find-or-start.ts';
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
  const serving = attach(gateway, { ...client, depth: depthIn(process.env) }, () => findSuccessor(config));
  const log = {
    fatal: (fault: object, message: string) => printError(`viaduct: ${message}: ${JSON.stringify(fault)}`),
  };
  onFault({ log, stop: () => serving.stop('a fault of viaduct stdio') });
  return serving;
}

/** @throws Error if this client needs a gateway of its own now, or the config cannot be used */
async function findSuccessor(flag: string | undefined): Promise<Socket> {
  const { found } = await readConfig(flag);
  if (found === undefined) throw new Error('the config cannot be used now');
  const gateway = await findGateway(found, process.env);
  if (!('socket' in gateway)) throw new Error(`this client needs a gateway of its own now: ${gateway.reason}`);
  return gateway.socket;
}
