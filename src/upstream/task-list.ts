import { listedTask } from '../era/task-ids.ts';
import type { Log } from '../telemetry/log.ts';
import type { ByteString } from '../wire/bytes.ts';
import { elementsOf, lastMember, membersOf, stringAt, typeOfByte } from '../wire/lens.ts';
import type { ResponseMessage } from '../wire/message.ts';
import type { Link } from './link.ts';

const MAX_PAGES = 100;
/** The most tasks of one page, and of all pages together. */
const MAX_TASKS = 10_000;

export interface TaskListing {
  readonly key: string;
  readonly link: Link;
  readonly listMs: number;
  readonly log: Log;
  /** Whether the client that asks may see this task, by the upstream's own id. */
  readonly isWanted: (ownId: string) => boolean;
}

/** Reads a legacy upstream's list of tasks page by page. What cannot be read is left out: other upstreams have tasks too. */
export async function listedTasks({ key, link, listMs, log, isWanted }: TaskListing): Promise<ByteString[]> {
  const found: ByteString[] = [];
  let cursor: string | undefined;
  try {
    for (let pages = 0; pages < MAX_PAGES; pages++) {
      const page = pageOf(await link.request('tasks/list', cursor === undefined ? {} : { cursor }, listMs));
      for (const task of page.tasks) {
        const listed = listedTask(key, page.text, task);
        if (listed !== undefined && isWanted(listed.ownId) && found.length < MAX_TASKS) found.push(listed.json);
      }
      cursor = page.nextCursor;
      if (cursor === undefined) break;
    }
  } catch (error) {
    log.debug({ error }, 'the list of tasks was not answered');
  }
  return found;
}

function pageOf({ frame: { text }, result }: ResponseMessage) {
  const members = result !== undefined && typeOfByte(text[result.start]) === 'object' ? membersOf(text, result) : [];
  const tasks = lastMember(members, 'tasks');
  return {
    text,
    tasks: tasks !== undefined && typeOfByte(text[tasks.start]) === 'array' ? elementsOf(text, tasks, MAX_TASKS) : [],
    nextCursor: stringAt(text, lastMember(members, 'nextCursor')),
  };
}
