import { createHash } from 'node:crypto';
import { GatewayError } from '../../../core/errors.ts';
import { PROJECT_ID } from '../project-id.ts';

const MAX_NAME = 100;

/** The id, if it can be one. `source` tells people where it was written. */
export function checkedProjectId(id: string, source: string): string {
  if (PROJECT_ID.test(id)) return id;
  const shown = JSON.stringify(id.length > 100 ? `${id.slice(0, 100)}…` : id);
  throw new GatewayError('INVALID_PARAMS', `invalid ${source}: must match ${PROJECT_ID.source}, got ${shown}`);
}

/**
 * `github-com-acme-billing-b28b7a`: the remote for people to read, then the branch. ide-bridge calls a project so too,
 * and what was brought over from there must be found again.
 */
export function idOfRemote(remote: string, branch: string | undefined): string {
  const name = remote.replaceAll(/[^a-z0-9]/g, '-').replace(/^-+/, '');
  const isClear = name.length <= MAX_NAME && /^[a-z0-9/._~-]*$/.test(remote);
  // Letters that an id cannot have would make one id of many remotes.
  const parts = isClear ? [name] : [name.slice(0, MAX_NAME - 20), hash('sha256', remote).slice(0, 12)];
  return [...parts, hash('sha1', branch ?? '').slice(0, 6)].filter((part) => part !== '').join('-');
}

/** For what has no remote; as ide-bridge has it. */
export function idOfPath(folder: string): string {
  return `path-${hash('sha256', folder.normalize('NFC')).slice(0, 12)}`;
}

function hash(algorithm: string, text: string): string {
  return createHash(algorithm).update(text).digest('hex');
}
