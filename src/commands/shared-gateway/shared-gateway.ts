import { closeSync, writeSync } from 'node:fs';
import { ConfigError } from '../../config/findings/config-error.ts';
import { REPORT_DESCRIPTOR, type StartReport } from '../../gateway/shared/launch.ts';
import { type SharedStart, startShared } from '../../gateway/shared/start-shared.ts';
import { onFault } from '../terminal/fault.ts';
import { onSignal } from '../terminal/shutdown.ts';

interface SharedGatewayFlags {
  readonly config: string;
  readonly key: string;
  readonly ofFolder?: boolean;
}

/** Files that the gateway makes before its socket is there are this user's alone, even if its starter has another umask. */
const OWN_MASK = 0o077;

/** Runs a shared gateway until it is not needed any more. Reports on a descriptor of its own how the start went. */
export async function sharedGateway({ config, key, ofFolder = false }: SharedGatewayFlags): Promise<void> {
  const maskOfStarter = process.umask(OWN_MASK);
  const started = await startShared({ configPath: config, key, isOfFolder: ofFolder, env: process.env }).catch(
    (error: unknown): SharedStart => ({ report: { error: textOf(error) } }),
  );
  report(started.report);
  const { gateway, log } = started;
  if (gateway === undefined || log === undefined) process.exit(started.report.error === undefined ? 0 : 1);
  // From now on it also writes files of its clients' projects, which are to be like those that a private gateway writes.
  process.umask(maskOfStarter);
  onFault({ log, stop: () => gateway.stop('a fault of the gateway', 0) });
  onSignal((signal) => gateway.stop(`signal ${signal}`));
  await gateway.ended;
  process.exit(0);
}

/** The client that started it may have gone: then the report has no reader. */
function report(text: StartReport): void {
  try {
    writeSync(REPORT_DESCRIPTOR, JSON.stringify(text));
    closeSync(REPORT_DESCRIPTOR);
  } catch {
    // Without a reader there is no one to tell.
  }
}

function textOf(error: unknown): string {
  if (error instanceof ConfigError) return error.format();
  return error instanceof Error ? error.message : String(error);
}
