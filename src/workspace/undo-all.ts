import { GatewayError } from '../core/errors.ts';
import type { StoredChange } from '../core/stores/change-store.ts';
import type { Changes, Origin } from './changes.ts';
import type { Sandbox } from './sandbox.ts';
import { undoChange } from './undo.ts';

/** The changes that are meant: one by its number, the last, or all; of one session, or of any. */
export type UndoQuestion = {
  readonly session?: string | undefined;
  /** True to include changes made on another machine with the same database. */
  readonly anyMachine?: boolean | undefined;
} & ({ readonly change: number } | { readonly last: boolean });

export interface UndoRequest {
  readonly which: UndoQuestion;
  /** The author of the undo. */
  readonly origin: Omit<Origin, 'tool'>;
  /** Returns the sandbox in which a change may be undone. */
  sandboxOf(change: StoredChange): Sandbox;
  readonly force?: boolean;
  /** Aborted when it is no longer wanted: then no further change is undone. */
  readonly signal?: AbortSignal;
}

interface UndoneChange {
  readonly change: number;
  readonly tool: string;
  readonly paths: string[];
}

export interface UndoReport {
  readonly restored: readonly (UndoneChange & { readonly notes: string[] })[];
  readonly skipped: readonly (UndoneChange & { readonly reason: string; readonly isProtected?: boolean })[];
}

/**
 * Undoes changes, the newest first. One that cannot be undone keeps no other from it.
 * @throws the reason of `signal` when that is aborted
 */
export async function undoAll(changes: Changes, request: UndoRequest): Promise<UndoReport> {
  const report = { restored: [] as UndoReport['restored'][number][], skipped: [] as UndoReport['skipped'][number][] };
  for (const change of await changesMeant(changes, request.which)) {
    const facts = { change: change.id, tool: change.tool, paths: pathsOf(change) };
    const { origin, signal, force = false } = request;
    const outcome =
      change.elsewhere === undefined || request.which.anyMachine === true
        ? await undoChange(changes, change, { sandbox: request.sandboxOf(change), origin, force, signal })
        : ({ restored: false, reason: `it was made on another machine (${change.elsewhere}): undo it there` } as const);
    if (outcome.restored) report.restored.push({ ...facts, notes: [...outcome.notes] });
    else {
      const { restored: _, ...why } = outcome;
      report.skipped.push({ ...facts, ...why });
    }
  }
  return report;
}

async function changesMeant({ store, limits }: Changes, which: UndoQuestion): Promise<readonly StoredChange[]> {
  if ('change' in which) {
    const change = await store.get(which.change);
    if (change !== undefined && (which.session ?? change.session) === change.session) return [change];
    throw new GatewayError('FILE_FAILED', `There is no change ${which.change} to be undone`, { effect: 'none' });
  }
  // To undo again and again goes further back; an undo is undone by its number.
  const machines = which.anyMachine === true ? 'all' : 'this';
  return store.list({ session: which.session, isOpen: true, machines, limit: which.last ? 1 : limits.changes });
}

/** The last is the one that the change was about; those before are folders that were made for it. */
export function pathsOf({ parts }: StoredChange): string[] {
  return [...new Set(parts.toReversed().flatMap((part) => (part.kind === 'put' ? [part.path] : [part.from, part.to])))];
}
