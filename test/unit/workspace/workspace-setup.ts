import { realpathSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import type { UndoLimits } from '../../../src/core/settings/workspace-settings.ts';
import { openDatabase } from '../../../src/store/database/database.ts';
import { openChangeStore } from '../../../src/store/workspace/open-change-store.ts';
import { type ChangeRequest, Changes } from '../../../src/workspace/changes.ts';
import type { Ground } from '../../../src/workspace/ground/ground.ts';
import { hasOpenFolders, linuxGround } from '../../../src/workspace/ground/linux-ground.ts';
import { portableGround } from '../../../src/workspace/ground/portable-ground.ts';
import { createFolder, move, remove, writeFile } from '../../../src/workspace/mutations.ts';
import { type Guard, UNPROTECTED } from '../../../src/workspace/protection/guard.ts';
import { Sandbox } from '../../../src/workspace/sandbox.ts';
import { type UndoQuestion, undoAll } from '../../../src/workspace/undo-all.ts';
import { temporaryFolder } from '../../support/gateway.ts';

/** Steps of the two long tests: `npm run faults:long -- workspace` makes them 10,000. */
export const LONG_STEPS = Number(process.env.VIADUCT_LONG_STEPS ?? 2_000);

export const LIMITS: UndoLimits = { changes: 1_000, megabytes: 64, fileMegabytes: 8 };

/** Both ways to hold folders, as far as this system has them. */
export const GROUNDS: readonly (readonly [string, Ground])[] = [
  ...((await hasOpenFolders()) ? [['open folders', linuxGround] as const] : []),
  ['paths', portableGround],
];

interface SetupOptions {
  readonly ground?: Ground;
  readonly root?: string;
  readonly home?: string;
  /** The home of another machine with the same database. */
  readonly machine?: string;
  readonly limits?: UndoLimits;
  readonly guard?: Guard;
}

/** A workspace of one folder whose changes are kept in a real database. */
export function workspaceSetup(options: SetupOptions = {}) {
  const {
    ground = GROUNDS[0]![1],
    root = realpathSync(temporaryFolder()),
    home = temporaryFolder(),
    limits = LIMITS,
    guard = UNPROTECTED,
  } = options;
  const database = openDatabase({ home });
  const store = openChangeStore({ database, limits, home: options.machine ?? home });
  const errors: unknown[] = [];
  const changes = new Changes({ store, limits, onError: (error) => errors.push(error) });
  onTestFinished(async () => {
    await store.close();
    await database.close();
  });
  const sandbox = new Sandbox([{ folder: root }], ground, guard);
  const by = (tool: string, path: string, session = 'session'): ChangeRequest => ({
    sandbox,
    path,
    origin: { session, tool },
  });
  const undo = (which: UndoQuestion = { last: true }, force = false, signal?: AbortSignal) =>
    undoAll(changes, {
      which,
      origin: { session: 'undoer' },
      sandboxOf: () => sandbox,
      force,
      ...(signal !== undefined && { signal }),
    });
  const write = (path: string, content: string | Buffer, session?: string) =>
    writeFile(changes, by('write', path, session), () => ({ bytes: Buffer.from(content), result: undefined }));
  return {
    root,
    store,
    changes,
    sandbox,
    errors,
    undo,
    write,
    edit: (path: string, make: (before: string) => string, session?: string) =>
      writeFile(changes, by('edit', path, session), (before) => ({
        bytes: Buffer.from(make(String(before ?? ''))),
        result: undefined,
      })),
    remove: (path: string, session?: string) => remove(changes, by('remove', path, session)),
    move: (from: string, to: string, session?: string) => move(changes, by('move', from, session), to),
    makeFolder: (path: string, session?: string) => createFolder(changes, by('folder', path, session)),
  };
}
