import { createHash } from 'node:crypto';
import { GatewayError } from '../../core/errors.ts';
import { PROJECT_ID } from '../../core/projects/project-id.ts';

const MAX_NAME = 100;

/** Returns the id, if it can be one. `source` tells people where it was written. */
export function checkedProjectId(id: string, source: string): string {
  if (PROJECT_ID.test(id)) return id;
  const shown = JSON.stringify(id.length > 100 ? `${id.slice(0, 100)}…` : id);
  throw new GatewayError('INVALID_PARAMS', `invalid ${source}: must match ${PROJECT_ID.source}, got ${shown}`);
}

/** The ids that the projects of a remote and branch can have. */
export interface RemoteIds {
  /** The id of a new project: `readable` if no other remote can have that, else `hashed`. */
  readonly own: string;
  /** As ide-bridge spells it: `github-com-acme-billing-b28b7a`. All signs are dashes, so that several remotes may share it. */
  readonly readable: string;
  /** The same with a hash of the remote, which no other remote has. */
  readonly hashed: string;
}

/**
 * Returns the ids of a canonical remote and a branch.
 * @param remote as `canonicalRemote` gives it: `github.com/acme/billing`
 */
export function idsOfRemote(remote: string, branch: string | undefined): RemoteIds {
  const name = remote.replaceAll(/[^a-z0-9]/g, '-').replace(/^-+/, '');
  const suffix = hash('sha1', branch ?? '').slice(0, 6);
  const hashed = joined([name.slice(0, MAX_NAME - 20), hash('sha256', remote).slice(0, 12), suffix]);
  // Letters that an id cannot have would make one id of many remotes.
  const isClear = name.length <= MAX_NAME && /^[a-z0-9/._~-]*$/.test(remote);
  const readable = isClear ? joined([name, suffix]) : hashed;
  return { own: isUnambiguous(remote) ? readable : hashed, readable, hashed };
}

/** Hosts on which every repository is `owner/name`. */
const FORGES = ['github.com', 'gitlab.com', 'bitbucket.org', 'codeberg.org'];
const WORD = /^[a-z0-9]+$/;
const NAME = /^[a-z0-9-]+$/;
const LIKE_HASHED = /-[0-9a-f]{12}$/;

/**
 * Returns whether the readable id of a remote can be read in one way only. On the forges above that is `owner/name`, where the
 * name may have dashes; on other hosts neither may, and the host has none either.
 */
function isUnambiguous(remote: string): boolean {
  const [host = '', owner = '', name = '', ...more] = remote.split('/');
  if (more.length > 0 || !WORD.test(owner) || LIKE_HASHED.test(name) || remote.length > MAX_NAME) return false;
  if (FORGES.includes(host)) return NAME.test(name);
  const isLikeForge = FORGES.some((forge) => host.startsWith(`${forge}.`));
  return !isLikeForge && WORD.test(name) && host.split('.').every((label) => WORD.test(label));
}

const joined = (parts: readonly string[]): string => parts.filter((part) => part !== '').join('-');

/** For what has no remote; as ide-bridge has it. */
export function idOfPath(folder: string): string {
  return `path-${hash('sha256', folder.normalize('NFC')).slice(0, 12)}`;
}

function hash(algorithm: string, text: string): string {
  return createHash(algorithm).update(text).digest('hex');
}
