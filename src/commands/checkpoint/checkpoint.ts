import { homedir } from 'node:os';
import path from 'node:path';
import { EXIT } from '../terminal/exit-codes.ts';
import { prettyJson, print, printError, printExact, printJson, printTable } from '../terminal/print.ts';
import { putFile } from '../user-files/put-file.ts';
import { importBundles } from './import-bundles.ts';
import type { OpenStore } from './open-store.ts';
import { briefingOf, bundleOf, diffOf, readRevision } from './read-checkpoints.ts';
import { namedProject, withStore } from './with-store.ts';

interface CheckpointOptions {
  readonly config?: string;
  readonly json?: boolean;
}

interface RevisionOptions extends CheckpointOptions {
  readonly revision?: number;
}

const MAX_REVISIONS = 100;

/** Lists the projects, or the revisions of one. */
export function listCheckpoints(project: string | undefined, options: CheckpointOptions): Promise<void> {
  return withStore(options, async ({ store }) => {
    const lines = project === undefined ? await store.projects() : await store.history(project, MAX_REVISIONS);
    if (options.json === true) printJson(lines);
    else if (lines.length === 0)
      print(project === undefined ? 'Nothing was saved yet.' : `${project}: nothing was saved.`);
    else
      printTable(
        lines.map((line) =>
          'projectId' in line
            ? [line.projectId, `revision ${line.revision}`, line.updatedAt, line.lastSourceIde]
            : [`revision ${line.revision}`, line.updatedAt, line.kind, line.sourceIde],
        ),
      );
    return project !== undefined && lines.length === 0 ? EXIT.failed : EXIT.ok;
  });
}

/** Prints a checkpoint as the briefing that an agent gets; as a bundle, with --json. */
export function showCheckpoint(project: string | undefined, options: RevisionOptions): Promise<void> {
  return withStore(options, async (open) => {
    const stored = await readRevision(open.store, await namedProject(project, open), options.revision);
    if (options.json === true) printJson(bundleOf(stored));
    else print(briefingOf(stored, await tasksOf(stored.projectId, options, open)));
    return EXIT.ok;
  });
}

/** An earlier revision is about another time. */
async function tasksOf(projectId: string, { revision }: RevisionOptions, open: OpenStore) {
  return revision === undefined ? open.openTasks(projectId) : undefined;
}

/** Writes a bundle into a file, or to standard output. */
export function exportCheckpoint(
  project: string | undefined,
  file: string | undefined,
  options: RevisionOptions,
): Promise<void> {
  return withStore(options, async (open) => {
    const stored = await readRevision(open.store, await namedProject(project, open), options.revision);
    const text = prettyJson(bundleOf(stored));
    if (file === undefined) printExact(text);
    else await putFile(file, { text: `${text}\n`, newMode: 0o600 });
    return EXIT.ok;
  });
}

interface ImportOptions extends CheckpointOptions {
  readonly project?: string;
  readonly replace?: boolean;
}

/** Imports bundles: by default, all projects of ide-bridge. */
export function importCheckpoints(place: string | undefined, options: ImportOptions): Promise<void> {
  return withStore(options, async (open) => {
    const from = place ?? path.join(process.env.IDE_BRIDGE_HOME ?? path.join(homedir(), '.ide-bridge'), 'projects');
    const replace = options.replace === true;
    const imported = await importBundles(open, from, { projectId: options.project, replace });
    if (options.json === true) printJson(imported);
    else if (imported.length === 0) printError(`There are no bundles in ${from}.`);
    else printTable(imported.map(({ project, outcome, remarks }) => [project, outcome, remarks.join('; ')]));
    const isWell = imported.length > 0 && imported.every(({ outcome }) => outcome !== 'failed');
    return isWell ? EXIT.ok : EXIT.failed;
  });
}

/** Shows what changed between two revisions: in the newest, where none is named. Exits with 1 when they differ, as `diff` does. */
export function diffCheckpoints(
  project: string | undefined,
  from: number | undefined,
  to: number | undefined,
  options: CheckpointOptions,
): Promise<void> {
  return withStore(options, async (open) => {
    const { diff, text } = await diffOf(open.store, await namedProject(project, open), { from, to });
    if (options.json === true) printJson(diff);
    else if (diff.changes.length === 0) print('There are no differences.');
    else print(text);
    return diff.changes.length === 0 ? EXIT.ok : EXIT.failed;
  });
}

/** Deletes old revisions of one project, or of all. */
export function pruneCheckpoints(
  project: string | undefined,
  options: CheckpointOptions & { readonly keep?: number },
): Promise<void> {
  return withStore(options, async ({ store, options: { history } }) => {
    const keep = options.keep ?? history.keep;
    const dropped = await store.prune(keep, project);
    if (options.json === true) printJson({ keep, dropped });
    else
      print(`${dropped} ${dropped === 1 ? 'revision' : 'revisions'} deleted; the newest ${keep} of each project stay.`);
    return EXIT.ok;
  });
}
