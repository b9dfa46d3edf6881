import { EXIT } from '../terminal/exit-codes.ts';
import { openSettings } from '../terminal/open-settings.ts';
import { print, printable, printError, printJson, printTable } from '../terminal/print.ts';
import { openUndoSession, type ShownChange, type UndoSession } from './undo-session.ts';

interface UndoOptions {
  readonly config?: string;
  readonly session?: string;
  readonly list?: boolean;
  readonly force?: boolean;
  readonly anyMachine?: boolean;
  readonly json?: boolean;
}

/** Undoes the last change of the workspace, one by its number, or all of a session. */
export async function undo(change: number | undefined, options: UndoOptions): Promise<void> {
  const desk = await openUndoSession(await openSettings(options.config, 'error'), process.env);
  try {
    process.exitCode = await (options.list === true ? list(desk, options) : undoChanges(desk, change, options));
  } finally {
    await desk.close();
  }
}

async function list(desk: UndoSession, { session, anyMachine, json }: UndoOptions): Promise<number> {
  const changes = await desk.list({ session, machines: anyMachine === true ? 'all' : 'this' });
  if (json === true) printJson(changes);
  else if (changes.length === 0) print('No changes of this machine are kept.');
  else printTable(changes.map(line));
  if (anyMachine !== true) await noteOthers(desk, session);
  return EXIT.ok;
}

function line({ id, at, state, session, tool, undoes, elsewhere, paths }: ShownChange): string[] {
  const what = undoes === undefined ? tool : `${tool} of ${undoes}`;
  const where = elsewhere === undefined ? [] : [`on ${printable(elsewhere)}`];
  return [String(id), at, state === 'done' ? '' : state, what, session, [...where, paths.join(', ')].join(': ')];
}

/** Reports what is left out: several machines can keep their changes in one database. */
async function noteOthers(desk: UndoSession, session: string | undefined): Promise<void> {
  const others = await desk.list({ session, machines: 'others' });
  if (others.length === 0) return;
  const hosts = [...new Set(others.map(({ elsewhere }) => printable(elsewhere ?? '')))].join(', ');
  const changes = others.length === 1 ? '1 change' : `${others.length} changes`;
  printError(`${changes} of other machines (${hosts}) are left out: --any-machine includes them`);
}

async function undoChanges(desk: UndoSession, change: number | undefined, options: UndoOptions): Promise<number> {
  const { session, force = false, anyMachine, json } = options;
  const wanted = { session, anyMachine };
  const which = change === undefined ? { ...wanted, last: session === undefined } : { ...wanted, change };
  const { restored, skipped } = await desk.undo(which, force);
  if (json === true) printJson({ restored, skipped });
  else {
    for (const { change: id, tool, paths, notes } of restored)
      print([`Undone: ${id} ${tool} ${inOneLine(paths)}`, ...notes].join('\n  '));
    for (const { change: id, tool, paths, reason, isProtected } of skipped) {
      const lines = [`Not undone: ${id} ${tool} ${inOneLine(paths)}`, reason];
      if (isProtected === true) lines.push(`If you want this file changed: viaduct undo --force ${id}`);
      printError(lines.join('\n  '));
    }
    if (restored.length + skipped.length === 0) print('There is nothing to undo.');
  }
  if (restored.length + skipped.length === 0 && anyMachine !== true) await noteOthers(desk, session);
  return skipped.length === 0 ? EXIT.ok : EXIT.failed;
}

/** The names of files may have line ends in them. */
function inOneLine(paths: readonly string[]): string {
  return paths.map(printable).join(', ');
}
