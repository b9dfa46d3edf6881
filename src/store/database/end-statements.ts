import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { closeEndsStatements } from './sqlite/sqlite-module.ts';

let collect: (() => void) | undefined;

/**
 * Ends prepared statements that are no longer referenced, so that the last connection that closes puts the write-ahead log
 * into the file and removes it. Needed where the module has no way to end a statement (Node.js before 22.13): there only
 * the garbage collector does.
 */
export async function endStatements(): Promise<void> {
  if (closeEndsStatements()) return;
  collect ??= garbageCollector();
  collect();
  // Finalizers of native objects run after the collection.
  await nextTurn();
}

function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
