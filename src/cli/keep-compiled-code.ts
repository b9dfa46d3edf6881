import path from 'node:path';
import type { Environment } from '../core/settings/environment.ts';
import { homeFolder } from '../gateway/settings/paths.ts';
import { CompiledCode } from './compiled-code.ts';

/** Commands that agents start. Others read and write nothing before they have parsed their arguments. */
const STARTED_OFTEN = ['stdio', 'serve', 'shared-gateway'];

/** The start is over by then, and its functions are compiled. */
const KEEP_AFTER_MS = 5_000;

/**
 * Keeps compiled code in `$VIADUCT_HOME/cache/code`, so that later starts need not compile it. It must be called before the rest of
 * the program is loaded.
 * @param codeFolder the folder of the built files
 */
export function keepCompiledCode(command: string | undefined, env: Environment, codeFolder: string): void {
  if (command === undefined || !STARTED_OFTEN.includes(command) || env.NODE_DISABLE_COMPILE_CACHE) return;
  // Node.js maps the lines of stack traces only for files that it loads itself.
  if (process.sourceMapsEnabled) return;
  const compiled = new CompiledCode({ folder: path.join(homeFolder(env), 'cache', 'code'), command });
  compiled.install(codeFolder);
  const keep = () => compiled.keep();
  process.on('exit', keep);
  setTimeout(keep, KEEP_AFTER_MS).unref();
}
