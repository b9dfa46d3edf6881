import type { VisitorSettings } from '../../gateway/settings/visitor-settings.ts';
import type { PrivateInstead } from '../../gateway/shared/find-or-start.ts';
import { onFault } from '../terminal/fault.ts';
import { openVisitorSettings } from '../terminal/open-settings.ts';
import { serveAlone, serveStdio } from './serve-stdio.ts';
import type { StdioClient, StdioServing } from './stdio-client.ts';

interface PrivateOptions {
  readonly flag: string | undefined;
  /** The config, if it was read before. */
  readonly settings: VisitorSettings | undefined;
  /** The reason why the client shares no gateway; absent if only one that runs already can serve it. */
  readonly instead: PrivateInstead | undefined;
}

/**
 * Serves a client that does not start a shared gateway.
 * @throws ConfigError when it needs a gateway of its own and the config cannot be used
 */
export async function servePrivately(
  { flag, settings: read, instead }: PrivateOptions,
  client: StdioClient,
): Promise<StdioServing> {
  const settings = read ?? (await openVisitorSettings(flag));
  const { log } = settings;
  if (instead !== undefined) {
    const { level, reason } = instead;
    log[level]({ event: 'private-gateway', reason }, 'this client gets a gateway of its own');
  }
  const serve = instead === undefined ? serveStdio : serveAlone;
  const serving = await serve(settings, process.env, client);
  onFault({ log, stop: () => serving.stop('a fault of the gateway') });
  return serving;
}
