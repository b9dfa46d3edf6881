import { readdir, readFile } from 'node:fs/promises';
import { coalesce } from '../core/coalesce.ts';

/** Every process that the gateway starts has this variable, and so has all that it starts, unless it takes care to lose it. */
export const TREE_VARIABLE = 'VIADUCT_TREE';

const MARK = new RegExp(`(?:^|\\0)${TREE_VARIABLE}=([^\\0]*)(?=\\0)`, 'g');

/** The processes that ran at one moment. Linux only; elsewhere there are none. */
export interface ProcessTable {
  /**
   * Those that carry a mark in their environment, wherever they have gone: one that left its group (setsid) cannot be
   * found otherwise.
   */
  readonly byMark: ReadonlyMap<string, readonly number[]>;
  /**
   * Groups of which a process runs. One that has ended stays in its group until its parent collects it, and process 1 of
   * a container may never do so.
   */
  readonly groups: ReadonlySet<number>;
}

/** Reading it costs a good part of a millisecond a process: all who want to see it at the same time share one look. */
export const lookAtProcesses: () => Promise<ProcessTable> = coalesce(readTable);

async function readTable(): Promise<ProcessTable> {
  const byMark = new Map<string, number[]>();
  const groups = new Set<number>();
  if (process.platform !== 'linux') return { byMark, groups };
  for (const name of await readdir('/proc')) {
    if (!/^[0-9]+$/.test(name)) continue;
    const group = runningGroup(await readFacts(`/proc/${name}/stat`));
    if (group === undefined) continue;
    groups.add(group);
    for (const [, mark] of (await readFacts(`/proc/${name}/environ`)).matchAll(MARK)) {
      const marked = byMark.get(mark!);
      if (marked === undefined) byMark.set(mark!, [Number(name)]);
      else marked.push(Number(name));
    }
  }
  return { byMark, groups };
}

/** Another user's, or gone: nothing. */
function readFacts(file: string): Promise<string> {
  return readFile(file, 'latin1').catch(() => '');
}

/** The group of a process, unless it has ended. Its name, in parentheses, may hold anything. */
function runningGroup(stat: string): number | undefined {
  const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return group === undefined || state === 'Z' || state === 'X' ? undefined : Number(group);
}
