import type { Generated, Kysely } from 'kysely';

/** The facts about a project's newest bundle. */
interface CheckpointHeads {
  project_id: string;
  revision: number;
  /** Changes with each write: a writer names the one that it has seen. */
  token: string;
  updated_at: string;
  source_ide: string;
  kind: string;
  /** JSON, see `Outline`; `null` where the bundle has none: then an append reads the bundle. */
  outline: string | null;
}

/** The text of a project's newest bundle, or of an earlier one to which additions were made since. */
interface CheckpointBodies {
  project_id: string;
  revision: number;
  /** Changes with each write. */
  token: string;
  body: Uint8Array;
}

/** The items that were added since the body was written, each with the revision that it made. */
interface CheckpointAdditions {
  project_id: string;
  revision: number;
  /** JSON. */
  body: string;
}

/** A bundle that was the newest once. */
interface CheckpointRevisions {
  project_id: string;
  revision: number;
  updated_at: string;
  source_ide: string;
  kind: string;
  /** `whole`, or `step`: what to change in the revision that follows. */
  form: string;
  body: Uint8Array;
}

/** SQLite only: which project was changed when, removed ones included. */
interface CheckpointChanges {
  project_id: string;
  seq: number;
}

interface CheckpointIdentities {
  folder_key: string;
  project_id: string;
  updated_at: string;
}

/** Calls, and what agents record of their work. */
interface Events {
  /** 64 bits, as `at_ms`: PostgreSQL gives both as text. */
  id: Generated<number | string>;
  kind: string;
  at_ms: number | string;
  type: string;
  agent: string | null;
  repo: string | null;
  session: string | null;
  /** JSON. */
  body: string;
  key: string | null;
  /** The machine on which it was added; `null` for events from before that was recorded. */
  machine: string | null;
  /** Of calls alone, as in `body`. */
  level: string | null;
  outcome: string | null;
}

/** How far a file of the audit is in `events`. */
interface AuditFiles {
  /** Tells files apart by their content: their names change. */
  id: string;
  machine: string;
  /** Counts how often the file has lost its end, so that no key of a row comes twice. */
  part: number;
  /** 64 bits: PostgreSQL gives it as text. */
  indexed_to: number | string;
}

/** Changes of files that can be undone. */
interface WorkspaceChanges {
  /** 64 bits, as `at_ms` and `undoes`: PostgreSQL gives them as text. */
  id: Generated<number | string>;
  at_ms: number | string;
  state: string;
  session: string;
  client: string | null;
  /** The machine on which it was made; `null` if that was not recorded. */
  machine: string | null;
  host: string | null;
  tool: string;
  /** JSON, both. */
  roots: string;
  parts: string;
  undoes: number | string | null;
  /** The size of `bytes`. */
  size: number;
  bytes: Uint8Array | null;
}

interface ProjectTasks {
  /** 64 bits, as `created_ms` and `updated_ms`: PostgreSQL gives them as text. */
  seq: Generated<number | string>;
  id: string;
  project_id: string;
  status: string;
  created_ms: number | string;
  updated_ms: number | string;
  branch: string | null;
  commit_hash: string | null;
  title: string;
  description: string | null;
  notes: string | null;
}

/** The items linked to tasks. */
interface ProjectTaskLinks {
  task_id: string;
  /** `branch`, `commit`, or `reference`: the path of a planning document. */
  kind: string;
  value: string;
  /** Among the links of its task and kind, from 0 on. */
  place: number;
}

interface ProjectTaskHistory {
  task_id: string;
  /** From 0 on. */
  place: number;
  from_status: string | null;
  to_status: string;
  changed_ms: number | string;
}

/** Conversations of the workflow `ide`. */
interface IdeSessions {
  id: string;
  project_id: string;
  name: string;
  /** 64 bits, as the other times: PostgreSQL gives them as text. */
  created_ms: number | string;
  updated_ms: number | string;
  /** The gateway that produces an answer now, and the time of its last sign of life; both `null` while none does. */
  answerer: string | null;
  answering_ms: number | string | null;
}

interface IdeMessages {
  /** 64 bits, as `at_ms`: PostgreSQL gives them as text. */
  seq: Generated<number | string>;
  session_id: string;
  role: string;
  content: string;
  /** The client, model or agent that wrote it, where that is known. */
  author: string | null;
  at_ms: number | string;
}

/** Builds that ran under the gateway. Their logs are files. */
interface Builds {
  /** 64 bits, as the times: PostgreSQL gives them as text. */
  seq: Generated<number | string>;
  id: string;
  project_id: string | null;
  repo: string;
  branch: string;
  status: string;
  command: string;
  /** Stamp of the process that runs it. Tells whether a build is still running. */
  runner: string | null;
  /** The machine that has its log: its id, and its name for people. */
  machine: string;
  host: string;
  exit_code: number | null;
  started_ms: number | string;
  ended_ms: number | string | null;
  /** The reason why the end of its log is missing; null if it is not missing. */
  log_fault: string | null;
}

export interface Tables {
  checkpoint_heads: CheckpointHeads;
  checkpoint_bodies: CheckpointBodies;
  checkpoint_additions: CheckpointAdditions;
  checkpoint_revisions: CheckpointRevisions;
  checkpoint_changes: CheckpointChanges;
  checkpoint_identities: CheckpointIdentities;
  events: Events;
  audit_files: AuditFiles;
  workspace_changes: WorkspaceChanges;
  project_tasks: ProjectTasks;
  project_task_links: ProjectTaskLinks;
  project_task_history: ProjectTaskHistory;
  ide_sessions: IdeSessions;
  ide_messages: IdeMessages;
  builds: Builds;
}

/** The object with which queries are made. */
export type Queries = Kysely<Tables>;

export type EngineKind = 'sqlite' | 'postgres';
