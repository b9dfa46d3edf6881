import { loadSettings } from '../../app/load-settings.ts';
import { serveStdio } from '../../app/serve-stdio.ts';
import { EXIT } from '../exit-codes.ts';
import { printError } from '../print.ts';
import { exitWhenWritten, onSignal } from '../shutdown.ts';

/** Serves one client on standard input and output until it leaves. */
export async function stdio(options: { readonly config?: string }): Promise<void> {
  const settings = await loadSettings(options.config, process.env);
  const serving = await serveStdio(settings, process.env, {
    input: process.stdin,
    output: process.stdout,
    folder: process.cwd(),
  });
  onSignal((signal) => serving.stop(`signal ${signal}`));
  const { clean, reason } = await serving.ended;
  await serving.stop(reason);
  if (!clean) printError(`viaduct: ${reason}`);
  exitWhenWritten(clean ? EXIT.ok : EXIT.failed);
}
