import { randomUUID } from 'node:crypto';
import type { Database } from '../database/database.ts';
import type { Queries } from '../database/tables.ts';
import { deleteAdditions } from './additions.ts';
import { objectText } from './member-texts.ts';
import { pack } from './packed.ts';
import { bundleOf, readNewest } from './read-bundle.ts';
import { textsOf } from './turns-of-work.ts';

interface Folded {
  readonly projectId: string;
  /** The token of the stored text that this one replaces. */
  readonly token: string;
  readonly revision: number;
  readonly body: Uint8Array;
}

/**
 * Puts the additions to a bundle into its stored text, but the newest one: so its revision is one that is kept, and can be
 * kept whole. Nothing that can be read changes, and appends go on meanwhile.
 */
export async function foldAdditions(database: Database, projectId: string): Promise<void> {
  const newest = await readNewest(database, projectId);
  if (newest === undefined) return;
  const { head, stored } = newest;
  const revision = head.revision - 1;
  if (revision <= stored.revision) return;
  const body = await pack(objectText(await textsOf(await bundleOf(newest, revision))));
  const folded = { projectId, token: stored.token, revision, body };
  await database.run(({ queries }) => queries.transaction().execute((transaction) => write(transaction, folded)));
}

/** Writes nothing if another process has written the text meanwhile. */
async function write(queries: Queries, { projectId, token, revision, body }: Folded): Promise<void> {
  const update = queries
    .updateTable('checkpoint_bodies')
    .set({ token: randomUUID(), revision, body })
    .where('project_id', '=', projectId)
    .where('token', '=', token);
  if ((await update.executeTakeFirst()).numUpdatedRows !== 1n) return;
  await deleteAdditions(queries, projectId, revision);
  // The way back to older revisions begins here: it would be long from the newest one.
  await queries
    .updateTable('checkpoint_revisions')
    .set({ form: 'whole', body })
    .where('project_id', '=', projectId)
    .where('revision', '=', revision)
    .execute();
}
