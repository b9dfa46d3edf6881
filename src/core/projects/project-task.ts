/** Statuses of a task, as codebase-mcp names them. */
export const TASK_STATUSES = ['need to be done', 'in-progress', 'complete'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** The longest texts of a task, in characters, and the most references that it has (seed 003). */
export const TASK_LIMITS = {
  title: 200,
  description: 2_000,
  notes: 5_000,
  branch: 200,
  reference: 500,
  references: 10,
} as const;

/** The hash of a commit: SHA-1, in full. */
export const COMMIT_HASH = /^[a-f0-9]{40}$/;

export interface StatusChange {
  /** `null` for the first one. */
  readonly from: TaskStatus | null;
  readonly to: TaskStatus;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A task of a project: something to do, which agents note and work off. Not a task of MCP, which is a call that takes long. */
export interface ProjectTask {
  /** A uuid in small letters. */
  readonly id: string;
  readonly projectId: string;
  readonly title: string;
  readonly description: string | null;
  readonly notes: string | null;
  readonly status: TaskStatus;
  /** Milliseconds since 1970, as `updatedAt`. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The branch and the commit that were linked last. */
  readonly branch: string | null;
  readonly commit: string | null;
  /** All that were ever linked, each once, in the order in which they were linked first. */
  readonly branches: readonly string[];
  readonly commits: readonly string[];
  /** Paths of planning documents, each once. */
  readonly planningReferences: readonly string[];
  /** The oldest first. */
  readonly statusHistory: readonly StatusChange[];
}

export type NewTask = Pick<ProjectTask, 'projectId' | 'title' | 'description' | 'notes' | 'planningReferences'>;

/** Changes of a task. Absent members stay as they are; `null` removes a text. */
export interface TaskChange {
  readonly title?: string | undefined;
  readonly description?: string | null | undefined;
  readonly notes?: string | null | undefined;
  /** Takes the place of those that are there. */
  readonly planningReferences?: readonly string[] | undefined;
  /** Goes into the history, unless it is the status already. */
  readonly status?: TaskStatus | undefined;
  /** Both are added to the lists. */
  readonly branch?: string | undefined;
  readonly commit?: string | undefined;
}

export interface TaskQuery {
  readonly projects: readonly string[] | 'all';
  readonly statuses?: readonly TaskStatus[] | undefined;
  /** Only tasks to which exactly this branch was linked. */
  readonly branch?: string | undefined;
  readonly limit: number;
}

export interface TaskPage {
  /** Newest first. */
  readonly tasks: readonly ProjectTask[];
  /** The number of all matches, regardless of the limit. */
  readonly total: number;
}

/** The tasks of all projects, shared by any number of gateway processes. All that changes something is one transaction. */
export interface ProjectTaskStore {
  /** `undefined` if there is none. */
  get(id: string): Promise<ProjectTask | undefined>;
  list(query: TaskQuery): Promise<TaskPage>;
  create(task: NewTask): Promise<ProjectTask>;
  /** Returns the task as it is then; `undefined` if there is none. A change without members has no effect. */
  update(id: string, change: TaskChange): Promise<ProjectTask | undefined>;
  /** Adds tasks as they are, except those whose ids are known. Returns the ids of the added ones. */
  add(tasks: readonly ProjectTask[]): Promise<ReadonlySet<string>>;
  /** Ids of the projects that have tasks. */
  projects(): Promise<readonly string[]>;
  /** Waits for what is under way. */
  close(): Promise<void>;
}
