import { serveStdio } from '../../app/serve-stdio.ts';
import { DEFAULT_PROFILE } from '../../core/admittance.ts';
import { openVisitorSettings } from '../config/open-settings.ts';
import { EXIT } from '../exit-codes.ts';
import { onFault } from '../fault.ts';
import { printError } from '../print.ts';
import { requireProfile } from '../require-profile.ts';
import { exitWhenWritten, onSignal } from '../shutdown.ts';

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
