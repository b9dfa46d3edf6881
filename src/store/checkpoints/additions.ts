import { exactJson, parseExactJson } from '../../core/json/exact-json.ts';
import type { Addition, JsonObject } from '../../core/stores/checkpoint-store.ts';
import type { Steps } from '../../core/timing/steps.ts';
import type { Queries } from '../database/tables.ts';

type KeptAddition = Pick<Addition<unknown>, 'list' | 'item' | 'members'>;

/** An addition that is not in the stored text of the bundle yet, and the revision that it made. */
export interface AdditionRow {
  readonly revision: number;
  readonly body: string;
}

export async function insertAddition(
  queries: Queries,
  projectId: string,
  revision: number,
  { list, item, members }: KeptAddition,
): Promise<void> {
  const body = exactJson({ list, item, members })!;
  await queries.insertInto('checkpoint_additions').values({ project_id: projectId, revision, body }).execute();
}

/** Returns the additions since the text of a bundle was stored, the oldest first. */
export function readAdditions(queries: Queries, projectId: string): Promise<AdditionRow[]> {
  return queries
    .selectFrom('checkpoint_additions')
    .select(['revision', 'body'])
    .where('project_id', '=', projectId)
    .orderBy('revision')
    .execute();
}

/** Removes additions that are in the stored text now; all of them, or those up to a revision. */
export async function deleteAdditions(queries: Queries, projectId: string, upTo?: number): Promise<void> {
  let rows = queries.deleteFrom('checkpoint_additions').where('project_id', '=', projectId);
  if (upTo !== undefined) rows = rows.where('revision', '<=', upTo);
  await rows.execute();
}

/** Makes additions in a bundle that nobody else uses. */
export function* addAll(bundle: JsonObject, rows: readonly AdditionRow[]): Steps<JsonObject> {
  for (const { body } of rows) {
    const { list, item, members } = parseExactJson(body) as KeptAddition;
    const items = bundle[list] as unknown[] | undefined;
    if (items === undefined) bundle[list] = [item];
    else items.push(item);
    for (const [key, value] of Object.entries(members)) {
      if (value === null) delete bundle[key];
      else bundle[key] = value;
    }
    yield;
  }
  return bundle;
}
