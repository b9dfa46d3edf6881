import type { ChangeQuery, StoredChange } from '../../core/stores/change-store.ts';
import { protectionOf } from '../../gateway/providers/protection.ts';
import type { Settings } from '../../gateway/settings/load-settings.ts';
import { openDatabase } from '../../store/database/database.ts';
import { openChangeStore } from '../../store/workspace/open-change-store.ts';
import { Changes } from '../../workspace/changes.ts';
import { UNPROTECTED } from '../../workspace/protection/guard.ts';
import { groundHere, Sandbox } from '../../workspace/sandbox.ts';
import { pathsOf, type UndoQuestion, type UndoReport, undoAll } from '../../workspace/undo-all.ts';

/** A change of the workspace as it is shown. */
export type ShownChange = Omit<StoredChange, 'at' | 'parts' | 'roots'> & {
  readonly at: string;
  readonly paths: readonly string[];
};

export interface ShownChanges {
  readonly session?: string | undefined;
  /** The machines on which the changes were made (default: this one). */
  readonly machines?: ChangeQuery['machines'];
}

/** The changes that can be undone, of all sessions; whether or not a gateway runs. */
export interface UndoSession {
  /** The newest first. */
  list(which: ShownChanges): Promise<readonly ShownChange[]>;
  undo(which: UndoQuestion, force: boolean): Promise<UndoReport>;
  close(): Promise<void>;
}

export async function openUndoSession(
  { config, configPath, home }: Settings,
  env: Readonly<Record<string, string | undefined>>,
): Promise<UndoSession> {
  const database = openDatabase({ home, url: config.database });
  const limits = config.workspace.undo;
  const store = openChangeStore({ database, limits, home });
  const changes = new Changes({ store, limits, onError: () => undefined });
  const ground = await groundHere();
  const guard = protectionOf(config, { configPath, home, env });
  return {
    list: async (which) => (await store.list({ ...which, limit: limits.changes })).map(shown),
    undo: (which, force) =>
      undoAll(changes, {
        which,
        force,
        origin: { session: 'viaduct undo' },
        // The user who runs the command may change these files anyway; the folder in which the change was made counts.
        sandboxOf: ({ roots }) =>
          new Sandbox(
            roots.map((folder) => ({ folder })),
            ground,
            // A file that an agent changed may have become the config since.
            force ? UNPROTECTED : guard,
          ),
      }),
    async close() {
      await store.close();
      await database.close();
    },
  };
}

function shown(change: StoredChange): ShownChange {
  const { id, state, session, client, tool, undoes, elsewhere } = change;
  return {
    id,
    at: new Date(change.at).toISOString(),
    state,
    session,
    client,
    ...(elsewhere !== undefined && { elsewhere }),
    tool,
    undoes,
    paths: pathsOf(change),
  };
}
