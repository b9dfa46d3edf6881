import { readdir, readFile } from 'node:fs/promises';

/** Every process that an upstream starts has this variable, unless it takes care to lose it. */
export const TREE_VARIABLE = 'VIADUCT_TREE';

/**
 * Processes that carry this mark in their environment, wherever they have gone: a process that left its group (setsid)
 * cannot be found otherwise. Linux only; elsewhere there are none.
 */
export async function markedProcesses(mark: string): Promise<number[]> {
  if (process.platform !== 'linux') return [];
  const wanted = `${TREE_VARIABLE}=${mark}\0`;
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^[0-9]+$/.test(name)) continue;
    const environment = await readFile(`/proc/${name}/environ`, 'latin1').catch(() => ''); // another user's, or gone
    if (environment.startsWith(wanted) || environment.includes(`\0${wanted}`)) found.push(Number(name));
  }
  return found;
}

export function signalEach(processes: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of processes) {
    try {
      process.kill(pid, signal);
    } catch {
      // ESRCH: it has ended meanwhile, which is what was wanted
    }
  }
}
