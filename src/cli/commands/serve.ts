import { clientEntries } from '../../app/client-entries.ts';
import type { Gateway } from '../../app/gateway.ts';
import type { Settings } from '../../app/load-settings.ts';
import { serveHttp } from '../../app/serve-http.ts';
import type { Daemon } from '../../app/start-daemon.ts';
import { VERSION } from '../../app/version.ts';
import { openSettings } from '../config/open-settings.ts';
import { upstreamRow } from '../describe-upstream.ts';
import { onFault } from '../fault.ts';
import { ownCommand } from '../own-command.ts';
import { print, printTable } from '../print.ts';
import { onSignal } from '../shutdown.ts';

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
    print('By URL an agent needs a token, too, as a header: Authorization: Bearer TOKEN (see docs/ACCESS.md)');
    print();
  }
  print('Stop with Ctrl-C.');
}
