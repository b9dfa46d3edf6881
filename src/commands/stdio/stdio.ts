import { DEFAULT_PROFILE } from '../../core/access/client-grant.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { onFault } from '../terminal/fault.ts';
import { openVisitorSettings } from '../terminal/open-settings.ts';
import { printError } from '../terminal/print.ts';
import { requireProfile } from '../terminal/require-profile.ts';
import { exitWhenWritten, onSignal } from '../terminal/shutdown.ts';
import { serveStdio } from './serve-stdio.ts';

/** Serves one client on standard input and output until it leaves. */
export async function stdio(options: { readonly config?: string; readonly profile?: string }): Promise<void> {
  const settings = await openVisitorSettings(options.config);
  requireProfile(settings, options.profile);
  const serving = await serveStdio(settings, process.env, {
    input: process.stdin,
    output: process.stdout,
    folder: process.cwd(),
    profile: options.profile ?? DEFAULT_PROFILE,
  });
  onFault({ log: settings.log, stop: () => serving.stop('a fault of the gateway') });
  onSignal((signal) => serving.stop(`signal ${signal}`));
  const { clean, reason } = await serving.ended;
  await serving.stop(reason);
  if (!clean) printError(`viaduct: ${reason}`);
  exitWhenWritten(clean ? EXIT.ok : EXIT.failed);
}
