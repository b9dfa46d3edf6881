/** A file or folder of this machine that tools leave alone, whether it is there or not. A folder stands for all that is in it. */
export interface ProtectedPath {
  /** Absolute. */
  readonly path: string;
  /** The name that messages use, such as "the config of this gateway". */
  readonly what: string;
  /** True if it is not read either. */
  readonly isSecret?: boolean;
  /** Meant only while a regular file is there: the path may as well be some other word. */
  readonly onlyIfFile?: boolean;
  /** `workspace.unprotected` may name it. */
  readonly canBeLifted?: boolean;
}

/** A file or folder that tools leave alone in any place if it has this name. `workspace.unprotected` may name it. */
export interface ProtectedName {
  /** Names with "/" between them, such as `.cursor/*.json`. A `*` may be at the beginning of a name, for any characters. */
  readonly pattern: string;
  /** The name that messages use. */
  readonly what: string;
}

export interface ProtectionRules {
  readonly paths: readonly ProtectedPath[];
  readonly names: readonly ProtectedName[];
  /** Files in which git finds the settings of this user: they may name a folder of hooks. */
  readonly gitConfigs: readonly string[];
  /** The user's home folder, which is `~` in those files. */
  readonly userHome: string;
  /** Globs of paths in the workspace that are not protected after all. */
  readonly unprotected: readonly string[];
}

/**
 * The operation about to be done at a place: `read` looks at it, `change` writes or removes a file or an empty folder, `move` takes
 * away or puts there something that leads to other things, as a folder and a symbolic link do.
 */
export type Intent = 'read' | 'change' | 'move';

/** The relation of a place to something protected: it is the same, is in it, or is a folder or a link on the way to it. */
export type Relation = 'same' | 'inside' | 'above';

/** Returns true if an operation is forbidden at a place with this relation to something protected. */
export function isForbidden(relation: Relation, intent: Intent): boolean {
  return relation !== 'above' || intent === 'move';
}
