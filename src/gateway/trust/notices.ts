import type { ConfigError } from '../../config/findings/config-error.ts';
import { type PassedOver, workingFolderOf } from '../../config/source/find.ts';
import { type BrokenEntry, brokenReason } from '../../config/upstreams/broken-entry.ts';
import { shellWord } from '../../core/text/shell-word.ts';

/** A config that is not used as it is in its file, for people and programs. */
export interface ConfigNotice {
  readonly path: string;
  readonly reason: 'untrusted' | 'changed' | 'unsafe' | 'unreadable' | 'invalid';
  /** Follows the path, as in "is not used: you have not trusted it". */
  readonly message: string;
  /** The action that makes the gateway use it. */
  readonly fix: string;
}

/** The notices to the user about configs that the gateway does not use. */
export class ConfigNotices {
  readonly #passedOver: readonly ConfigNotice[];
  /** The notice that this gateway continues with the previous content of its config, and why. */
  pending: ConfigNotice | undefined;
  /** The notices of what is wrong with the current content of this gateway's config. */
  invalid: readonly ConfigNotice[] = [];

  constructor(passedOver: readonly ConfigNotice[]) {
    this.#passedOver = passedOver;
  }

  all(): ConfigNotice[] {
    return [...this.#passedOver, ...(this.pending === undefined ? [] : [this.pending]), ...this.invalid];
  }
}

/** Says that a config in the working folder is not used, why, and what to do. */
export function noticeOf({ path, reason }: PassedOver): ConfigNotice {
  if (typeof reason === 'string') {
    const why = reason === 'changed' ? 'it has changed since you trusted it' : 'you have not trusted it';
    return { path, reason, message: `is not used: ${why}`, fix: trustCommand(path) };
  }
  return { path, ...noticeOfError(reason, path) };
}

function noticeOfError({ issues: [issue] }: ConfigError, path: string): Omit<ConfigNotice, 'path'> {
  const message = `is not used: ${issue?.message ?? 'it cannot be read'}`;
  const trust = trustCommand(path);
  if (issue?.fix === undefined) return { reason: 'unreadable', message, fix: `correct it, then: ${trust}` };
  return { reason: 'unsafe', message, fix: `${issue.fix} && ${trust}` };
}

/** Says that a gateway goes on with the content that was trusted, though the file has another one. */
export function pendingNotice(path: string, trust: 'changed' | 'untrusted'): ConfigNotice {
  const why = trust === 'changed' ? 'it has changed since you trusted it' : 'you no longer trust it';
  const message = `is not read again: ${why}; the gateway keeps using its previous content`;
  return { path, reason: trust, message, fix: trustCommand(path) };
}

/** Says that a gateway goes on with the last valid content, and what is wrong with the present one. */
export function invalidNotice(path: string, reason: string): ConfigNotice {
  const message = `is not valid: ${reason}. The gateway keeps using its previous content`;
  return { path, reason: 'invalid', message, fix: CORRECT };
}

/** Says the same of one entry. */
export function keptNotice(path: string, entry: BrokenEntry): ConfigNotice {
  const message = `has a fault: ${brokenReason(entry)}. The upstream ${entry.key} keeps running with its previous entry`;
  return { path, reason: 'invalid', message, fix: CORRECT };
}

const CORRECT = 'correct it; viaduct config check shows all that is wrong';

/** Returns a notice in one line for people. */
export function noticeLine({ path, message, fix }: ConfigNotice): string {
  return `${path} ${message}. To use it: ${fix}`;
}

function trustCommand(path: string): string {
  return `viaduct trust ${shellWord(workingFolderOf(path) ?? path)}`;
}
