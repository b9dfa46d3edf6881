import {
  COMMIT_HASH,
  type ProjectTask,
  type StatusChange,
  TASK_LIMITS,
  TASK_STATUSES,
  type TaskStatus,
} from '../../core/projects/project-task.ts';
import { characterCount } from '../../core/text/character-count.ts';
import type { ForeignTask, Row } from '../../store/tasks/codebase-mcp/read-tasks.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ZONE = /(?:Z|[+-]\d\d(?::?\d\d)?)$/;

/** A task of codebase-mcp as one of ours. */
export interface TakenOver {
  readonly task: ProjectTask;
  /** Parts that could not be imported. */
  readonly leftOut: readonly string[];
}

/** Returns a task of codebase-mcp as one of ours; why it cannot be one, where it cannot. */
export function takeOver(foreign: ForeignTask, projectId: string): TakenOver | string {
  const { id, title, description, notes, status, item_type: type, deleted_at: deleted } = foreign.task;
  const created = timeOf(foreign.task.created_at);
  if (typeof id !== 'string' || !UUID.test(id)) return 'its id is no uuid';
  if (typeof title !== 'string' || title.trim() === '') return 'it has no title';
  if (deleted !== undefined && deleted !== null) return 'it was deleted';
  if (type !== undefined && type !== 'task') return `it is no task (${shown(type)})`;
  if (!isStatus(status)) return `its status is unknown (${shown(status)})`;
  if (created === undefined) return 'it has no time of creation';
  const links = new Links();
  const branches = links.of(
    foreign.branches,
    'branch_name',
    (name) => name.trim() !== '' && isUpTo(name, TASK_LIMITS.branch),
  );
  const commits = links.of(foreign.commits, 'commit_hash', (hash) => COMMIT_HASH.test(hash));
  const planningReferences = links.of(foreign.references, 'file_path', (file) => isUpTo(file, TASK_LIMITS.reference));
  const task: ProjectTask = {
    id,
    projectId,
    title,
    description: textOf(description),
    notes: textOf(notes),
    status,
    createdAt: created,
    updatedAt: timeOf(foreign.task.updated_at) ?? created,
    branch: branches.at(-1) ?? null,
    commit: commits.at(-1) ?? null,
    branches,
    commits,
    planningReferences,
    statusHistory: historyOf(foreign.history, links, { status, created }),
  };
  return { task, leftOut: links.leftOut };
}

/** Converts the parts of a task, and records what it leaves out. */
class Links {
  readonly leftOut: string[] = [];

  /** Returns the texts of a column that pass, each once, those that were linked first first. */
  of(rows: readonly Row[], column: string, passes: (text: string) => boolean): string[] {
    const texts = inTime(rows, 'created_at').map((row) => textOf(row[column]) ?? '');
    const passing = texts.filter((text) => {
      if (!passes(text)) this.leftOut.push(`${column} ${JSON.stringify(text.slice(0, 100))}`);
      return passes(text);
    });
    return [...new Set(passing)];
  }
}

function historyOf(
  rows: readonly Row[],
  links: Links,
  { status, created }: { readonly status: TaskStatus; readonly created: number },
): StatusChange[] {
  const changes = inTime(rows, 'changed_at').flatMap((row): StatusChange[] => {
    const { from_status: from, to_status: to } = row;
    const at = timeOf(row.changed_at);
    if (at !== undefined && isStatus(to) && (from === null || isStatus(from))) return [{ from, to, at }];
    links.leftOut.push(`change of status from ${shown(from)} to ${shown(to)}`);
    return [];
  });
  return changes.length === 0 ? [{ from: null, to: status, at: created }] : changes;
}

/** Sorts rows by time; those without a time come first, in their order. */
function inTime(rows: readonly Row[], column: string): Row[] {
  return rows.toSorted((a, b) => (timeOf(a[column]) ?? 0) - (timeOf(b[column]) ?? 0));
}

/** Returns milliseconds since 1970. A time without a zone is in UTC. */
function timeOf(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const time = Date.parse(ZONE.test(value.slice(10)) ? value : `${value}Z`);
  return Number.isNaN(time) ? undefined : time;
}

function isStatus(value: unknown): value is TaskStatus {
  return TASK_STATUSES.some((status) => status === value);
}

function isUpTo(text: string, most: number): boolean {
  return text !== '' && characterCount(text) <= most;
}

const shown = (value: unknown): string => textOf(value) ?? 'none';
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
