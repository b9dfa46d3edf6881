import { existsSync } from 'node:fs';
import nodeModule from 'node:module';
import path from 'node:path';
import { makeFolder } from '../core/folders/make-folder.ts';
import type { Environment } from '../core/settings/environment.ts';
import { homeFolder } from '../gateway/settings/paths.ts';
import { CompiledCode } from './compiled-code.ts';

/** Commands that agents start. Others read and write nothing before they have parsed their arguments. */
const STARTED_OFTEN = ['stdio', 'serve', 'shared-gateway'];

/** The start is over by then, and its functions are compiled. */
const KEEP_AFTER_MS = 5_000;

/** Node.js 22.1 and newer; the types are those of the oldest version. */
interface WithCompileCache {
  readonly enableCompileCache?: (folder: string) => unknown;
  readonly flushCompileCache?: () => void;
}

/**
 * Keeps compiled code in `$VIADUCT_HOME/cache/code`, so that later starts need not compile it. It must be called before the rest of
 * the program is loaded.
 * @param codeFolder the folder of the built files
 */
export function keepCompiledCode(command: string | undefined, env: Environment, codeFolder: string): void {
  if (command === undefined || !STARTED_OFTEN.includes(command) || env.NODE_DISABLE_COMPILE_CACHE) return;
  const folder = path.join(homeFolder(env), 'cache', 'code');
  const node = nodeModule as unknown as WithCompileCache;
  const keep = node.enableCompileCache === undefined ? byOurselves(folder, command, codeFolder) : byNode(node, folder);
  setTimeout(keep, KEEP_AFTER_MS).unref();
}

/** Node.js writes it at the exit as well. */
function byNode({ enableCompileCache, flushCompileCache }: WithCompileCache, folder: string): () => void {
  try {
    // Node.js would let others read it, and the folders above.
    if (!existsSync(folder)) makeFolder(folder, 0o700);
    enableCompileCache?.(folder);
  } catch {
    // The folder cannot be written: each start compiles.
  }
  return () => flushCompileCache?.();
}

function byOurselves(folder: string, command: string, codeFolder: string): () => void {
  const compiled = new CompiledCode({ folder, command });
  compiled.install(codeFolder);
  process.on('exit', () => compiled.keep());
  return () => compiled.keep();
}
