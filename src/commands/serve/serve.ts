import type { Gateway } from '../../gateway/gateway.ts';
import { serveHttp } from '../../gateway/serving/serve-http.ts';
import type { Daemon } from '../../gateway/serving/start-daemon.ts';
import type { Settings } from '../../gateway/settings/load-settings.ts';
import { VERSION } from '../../gateway/version.ts';
import { ownCommand } from '../own-entry/own-command.ts';
import { upstreamRow } from '../terminal/describe-upstream.ts';
import { onFault } from '../terminal/fault.ts';
import { openSettings } from '../terminal/open-settings.ts';
import { print, printTable } from '../terminal/print.ts';
import { onSignal } from '../terminal/shutdown.ts';
import { clientEntries } from './client-entries.ts';

export interface ServeOptions {
  readonly config?: string;
  readonly host?: string;
  readonly port?: number;
}

/** Upstreams that are still starting after this are shown as they are. */
const SETTLE_MS = 20_000;

/** Runs the gateway until a signal ends it. */
export async function serve(options: ServeOptions): Promise<void> {
  const settings = await openSettings(options.config);
  const { configPath, log } = settings;
  const { gateway, daemon, stop } = await serveHttp(settings, process.env, options);
  onFault({ log, stop: () => stop(0) });
  onSignal((signal) => {
    log.info({ event: 'stop', signal }, 'stopping');
    return stop();
  });
  print(`Viaduct ${VERSION}`);
  print(`  listening on  ${daemon.url}`);
  if (daemon.tcpUrl !== undefined) print(`  in lines on   ${daemon.tcpUrl}`);
  print(`  config        ${configPath}`);
  gateway.start();
  await report(gateway, daemon, settings);
}

async function report(gateway: Gateway, daemon: Daemon, { config, configPath }: Settings): Promise<void> {
  await gateway.whenSettled(SETTLE_MS);
  print();
  print('Upstreams');
  const { upstreams } = gateway.status();
  if (upstreams.length === 0) print('  none: add some under "upstreams" in the config');
  printTable(upstreams.map(upstreamRow), '  ');
  print();
  print("For your agent's config, one of:");
  const { command, args } = ownCommand();
  for (const entry of clientEntries({ url: daemon.url, command, args: [...args, 'stdio', '--config', configPath] })) {
    print();
    print(`# ${entry.client} (${entry.where})`);
    print(entry.text);
  }
  print();
  if (config.server.tokens !== undefined || config.server.oauth !== undefined) {
    print('With the URL, an agent also needs a token, in a header: Authorization: Bearer TOKEN (see docs/ACCESS.md)');
    print();
  }
  print('Stop with Ctrl-C.');
}
