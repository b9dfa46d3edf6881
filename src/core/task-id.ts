/** A task as clients know it: whose it is, and what its server calls it. */
export interface TaskId {
  /** The upstream's key. */
  readonly key: string;
  readonly ownId: string;
}

/** A task's id, unique among upstreams: the key in front, and a slash, which keys do not have. */
export function publicTaskId({ key, ownId }: TaskId): string {
  return `${key}/${ownId}`;
}

/** What `publicTaskId` was made of; `undefined` for ids of another form. */
export function parseTaskId(id: string): TaskId | undefined {
  const slash = id.indexOf('/');
  return slash <= 0 ? undefined : { key: id.slice(0, slash), ownId: id.slice(slash + 1) };
}
