import type { Stats } from 'node:fs';
import { shellWord } from '../../core/text/shell-word.ts';

/** The owner of a file or folder, and its mode. */
export type Ownership = Pick<Stats, 'uid' | 'gid' | 'mode'>;

/** The reason why others than this user can change a file or folder. */
export interface OwnershipProblem {
  /** Follows the name of the file or folder, as in "other users may change it". */
  readonly message: string;
  /** The command that corrects it. */
  readonly fix: string;
}

const GROUP_WRITE = 0o020;
const WORLD_WRITE = 0o002;
/** The sticky bit: in such a folder only the owner of a file can replace it. */
const STICKY = 0o1000;

/** Windows has no such modes: everything counts as this user's own. */
export const HAS_MODES = process.platform !== 'win32';

/**
 * Checks that no other user can change a file: it must belong to this user or to root, and neither its group nor others
 * may write it. Anyone who can change a config can run commands as the user of the gateway.
 * @returns the problem, or `undefined` if there is none
 */
export function fileProblem(path: string, facts: Ownership): OwnershipProblem | undefined {
  return ownerProblem(path, facts) ?? writeProblem(path, facts);
}

/**
 * Checks that no other user can replace files in a folder: anyone who can write to it can, unless it is sticky like
 * `/tmp`.
 * @returns the problem, or `undefined` if there is none
 */
export function folderProblem(path: string, facts: Ownership): OwnershipProblem | undefined {
  return ownerProblem(path, facts) ?? ((facts.mode & STICKY) !== 0 ? undefined : writeProblem(path, facts));
}

function ownerProblem(path: string, { uid }: Ownership): OwnershipProblem | undefined {
  const self = process.getuid?.();
  if (!HAS_MODES || uid === self || uid === 0) return undefined;
  return { message: `it belongs to another user (uid ${uid})`, fix: `sudo chown ${self} ${shellWord(path)}` };
}

function writeProblem(path: string, facts: Ownership): OwnershipProblem | undefined {
  const byOthers = (facts.mode & WORLD_WRITE) !== 0;
  if (!HAS_MODES || !(byOthers || isGroupWritable(facts))) return undefined;
  const who = byOthers ? 'other users' : `other users of its group (gid ${facts.gid})`;
  return { message: `${who} may change it (mode ${modeText(facts)})`, fix: `chmod go-w ${shellWord(path)}` };
}

/**
 * Returns true if other users in the file's group can change it. Many systems give each user a group of their own with
 * the same number and let it write new files: it has no other members. Root's group is not such a group: in some
 * containers every user belongs to it.
 */
function isGroupWritable({ uid, gid, mode }: Ownership): boolean {
  return (mode & GROUP_WRITE) !== 0 && (gid !== uid || gid === 0);
}

/** Returns the permission bits as `chmod` takes them. */
export function modeText({ mode }: Pick<Ownership, 'mode'>): string {
  return (mode & 0o777).toString(8).padStart(4, '0');
}
