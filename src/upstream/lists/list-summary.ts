import { LISTS } from './list-methods.ts';
import type { ListStates } from './list-order.ts';
import { isSettled, type ListState } from './list-state.ts';

/** The state of all lists of a connection together. */
export interface ListSummary {
  /** True if each list was answered, has failed, or is overdue. */
  readonly isSettled: boolean;
  /** The main list is there: its tools, or any other list where it has no tools. */
  readonly isThere: boolean;
  /** A sentence for each list with a problem. */
  readonly problems: readonly string[];
  /** The answer to a list is overdue. */
  readonly isSilent: boolean;
  /** The time at which the first of the lists with a problem is asked for again. */
  readonly dueAt: number | undefined;
}

/**
 * Says how the lists of an upstream stand.
 * @param lists those that its server has
 */
export function summarize(lists: ListStates): ListSummary {
  const all = [...lists.values()];
  const troubled = all.filter(({ problem }) => problem !== undefined);
  const times = troubled.flatMap(({ dueAt }) => (dueAt === undefined ? [] : [dueAt]));
  return {
    isSettled: all.every(isSettled),
    isThere: isThere(lists),
    problems: troubled.map(({ problem }) => problem!),
    isSilent: all.some(({ phase }) => phase === 'silent'),
    dueAt: times.length === 0 ? undefined : Math.min(...times),
  };
}

/** A server that declares tools and refuses to list them is worth a remark, unlike one without templates. */
export function remarkOnAbsence(lists: ListStates): readonly string[] {
  return lists.get('tool')?.phase === 'absent' ? [`${LISTS.tool.method}: it says that it has no such list`] : [];
}

function isThere(lists: ListStates): boolean {
  const present = [...lists].filter(([, { phase }]) => phase !== 'absent');
  const isKnown = ([, state]: readonly [string, ListState]) => state.isKnown;
  const tools = present.filter(([kind]) => kind === 'tool');
  return present.length === 0 || (tools.length > 0 ? tools.every(isKnown) : present.some(isKnown));
}
