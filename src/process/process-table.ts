import { readdirSync, readFile as readFileInBackground, readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { coalesce } from '../core/timing/coalesce.ts';

/**
 * The variable that every process started by the gateway has. Everything that the process starts inherits it, unless it
 * is removed on purpose.
 */
export const TREE_VARIABLE = 'VIADUCT_TREE';

const MARK = new RegExp(`(?:^|\\0)${TREE_VARIABLE}=([^\\0]*)(?=\\0)`, 'g');

/** The processes that ran at one moment. Linux only; elsewhere there are none. */
export interface ProcessTable {
  /**
   * The processes that carry a mark in their environment, in any group: a process that left its group (setsid)
   * cannot be found otherwise.
   */
  readonly byMark: ReadonlyMap<string, readonly number[]>;
  /**
   * Groups of which a process runs. One that has ended stays in its group until its parent collects it, and process 1 of
   * a container may never do so.
   */
  readonly groups: ReadonlySet<number>;
}

/** The number of processes that are read before other work gets a turn. */
const PROCESSES_A_TURN = 64;
/** The positions of these fields in `stat`, counted from after the process name. */
const [STATE, GROUP, STARTED_AT] = [0, 2, 19];

const readFile = promisify(readFileInBackground);

/** Reads the process table. It is read repeatedly while processes are ended, so all who ask at the same time share one read. */
export const lookAtProcesses: () => Promise<ProcessTable> = coalesce(readTable);

async function readTable(): Promise<ProcessTable> {
  const byMark = new Map<string, number[]>();
  const groups = new Set<number>();
  if (process.platform !== 'linux') return { byMark, groups };
  const since = readFacts('self')?.startedAt ?? 0;
  const names = readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name));
  for (const [index, name] of names.entries()) {
    if (index % PROCESSES_A_TURN === PROCESSES_A_TURN - 1) await nextTurn();
    const facts = readFacts(name);
    if (facts === undefined) continue;
    groups.add(facts.group);
    // Nothing that is older than the gateway was started by it.
    if (facts.startedAt < since) continue;
    for (const mark of await readMarks(name)) {
      const marked = byMark.get(mark);
      if (marked === undefined) byMark.set(mark, [Number(name)]);
      else marked.push(Number(name));
    }
  }
  return { byMark, groups };
}

interface Facts {
  readonly group: number;
  /** In ticks since the machine was started. */
  readonly startedAt: number;
}

/**
 * Returns when a process was started, in ticks since the machine was started; `undefined` if it has ended, and on
 * systems other than Linux.
 */
export function startOfProcess(pid: number): number | undefined {
  return readFacts(String(pid))?.startedAt;
}

/**
 * Returns the facts about a process; `undefined` if it has ended. Reads synchronously: that is ten times as cheap, and
 * `/proc` never blocks.
 */
function readFacts(name: string): Facts | undefined {
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
    // Its name, in parentheses, may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[STATE] === 'Z' || fields[STATE] === 'X') return undefined;
    return { group: Number(fields[GROUP]), startedAt: Number(fields[STARTED_AT]) };
  } catch {
    return undefined; // gone
  }
}

/** Reads in the background: the memory of a process that hangs may be locked. */
async function readMarks(name: string): Promise<string[]> {
  const environment = await readFile(`/proc/${name}/environ`, 'latin1').catch(() => ''); // another user's, or gone
  return Array.from(environment.matchAll(MARK), ([, mark]) => mark!);
}
