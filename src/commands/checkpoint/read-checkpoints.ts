import type { CheckpointStore, StoredBundle } from '../../core/stores/checkpoint-store.ts';
import { resolveProject } from '../../projects/identity/resolve-project.ts';
import { renderBriefing } from '../../workflows/checkpoint/bundle/briefing.ts';
import { renderDiff } from '../../workflows/checkpoint/bundle/diff.ts';
import type { OpenTasks } from '../../workflows/checkpoint/bundle/open-tasks.ts';
import { presented } from '../../workflows/checkpoint/delivery.ts';
import { diffRevisions, type RevisionPair } from '../../workflows/checkpoint/diff-revisions.ts';

/** Returns the project of a folder. */
export async function projectIn(folder: string, store: CheckpointStore): Promise<string> {
  return (await resolveProject({ cwd: folder, store })).projectId;
}

/** Returns a revision of a project. @throws when there is none. */
export async function readRevision(
  store: CheckpointStore,
  projectId: string,
  revision?: number,
): Promise<StoredBundle> {
  const stored = await store.load(projectId, revision);
  if (stored !== undefined) return stored;
  const what = revision === undefined ? 'no checkpoints' : `no revision ${revision}`;
  throw new Error(`the project ${projectId} has ${what}; "viaduct checkpoint list" shows what there is`);
}

/** Returns a stored bundle in full, for people to read. */
export function briefingOf(stored: StoredBundle, openTasks?: OpenTasks): string {
  return renderBriefing(presented(stored), 'L3', openTasks);
}

/** Returns a stored bundle in full, as the text of a file. */
export function bundleOf(stored: StoredBundle): object {
  return presented(stored);
}

/** Returns what changed between two revisions, as data and in words. */
export async function diffOf(store: CheckpointStore, projectId: string, pair: RevisionPair) {
  const diff = await diffRevisions((revision) => store.load(projectId, revision), projectId, pair);
  return { diff, text: renderDiff(diff.changes) };
}
