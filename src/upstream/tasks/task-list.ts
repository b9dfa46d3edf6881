import { GatewayError } from '../../core/errors.ts';
import { listedTask } from '../../era/task-ids.ts';
import type { Log } from '../../telemetry/log.ts';
import type { ByteString } from '../../wire/bytes.ts';
import { elementsOf, lastMember, membersOf, stringAt, typeOfByte } from '../../wire/lens.ts';
import type { ResponseMessage } from '../../wire/message.ts';
import type { Link } from '../connection/link.ts';

const MAX_PAGES = 100;
/** The limit for all pages together, as a multiple of the limit for one page. */
const SLOW_PAGES = 4;
/** The most tasks of one page, and of all pages together. */
const MAX_TASKS = 10_000;

export interface TaskListing {
  readonly key: string;
  readonly link: Link;
  readonly listMs: number;
  readonly log: Log;
  /** Returns whether the client that asks may see this task, by the upstream's own id. */
  readonly isWanted: (ownId: string) => boolean;
}

/** Reads a legacy upstream's list of tasks page by page. What cannot be read is left out: other upstreams have tasks too. */
export async function listedTasks({ key, link, listMs, log, isWanted }: TaskListing): Promise<ByteString[]> {
  const found: ByteString[] = [];
  const endsAt = performance.now() + listMs * SLOW_PAGES;
  let cursor: string | undefined;
  try {
    for (let pages = 0; pages < MAX_PAGES; pages++) {
      const leftMs = Math.ceil(Math.min(listMs, endsAt - performance.now()));
      if (leftMs <= 0) throw new GatewayError('UPSTREAM_TIMEOUT', `${key}: its pages of tasks/list are too slow`);
      const page = pageOf(await link.request('tasks/list', cursor === undefined ? {} : { cursor }, leftMs));
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
