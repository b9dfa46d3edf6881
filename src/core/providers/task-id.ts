/** A task as clients know it: whose it is, and what its server calls it. */
export interface TaskId {
  /** The upstream's key. */
  readonly key: string;
  readonly ownId: string;
}

/** Returns the prefix that makes a task's id unique among upstreams: the key and a slash, which keys do not contain. */
export function taskIdPrefix(key: string): string {
  return `${key}/`;
}

/** Returns the upstream's key and its own id of the task; `undefined` for ids without such a prefix. */
export function parseTaskId(id: string): TaskId | undefined {
  const slash = id.indexOf('/');
  return slash <= 0 ? undefined : { key: id.slice(0, slash), ownId: id.slice(slash + 1) };
}
