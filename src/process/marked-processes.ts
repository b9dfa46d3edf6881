import { readdir, readFile } from 'node:fs/promises';

/** Every process that an upstream starts has this variable, unless it takes care to lose it. */
export const TREE_VARIABLE = 'VIADUCT_TREE';

/**
 * Processes that carry this mark in their environment, wherever they have gone: a process that left its group (setsid)
 * cannot be found otherwise. Linux only; elsewhere there are none.
 */
export function markedProcesses(mark: string): Promise<number[]> {
  const wanted = `${TREE_VARIABLE}=${mark}\0`;
  return findProcesses('environ', (environment) => {
    return environment.startsWith(wanted) || environment.includes(`\0${wanted}`);
  });
}

/**
 * Processes of a group that still run. One that has ended stays in its group until its parent collects it, and process
 * 1 of a container may never do so. Linux only.
 */
export function runningMembers(group: number): Promise<number[]> {
  return findProcesses('stat', (stat) => {
    const [state, , processGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(processGroup) === group && state !== 'Z' && state !== 'X';
  });
}

async function findProcesses(file: 'environ' | 'stat', fits: (text: string) => boolean): Promise<number[]> {
  if (process.platform !== 'linux') return [];
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^[0-9]+$/.test(name)) continue;
    const text = await readFile(`/proc/${name}/${file}`, 'latin1').catch(() => ''); // another user's, or gone
    if (text !== '' && fits(text)) found.push(Number(name));
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
