import { GatewayError } from '../../core/errors.ts';
import { COMMIT_HASH } from '../../core/projects/project-task.ts';
import { type RepositoryHead, repositoryHead } from '../../projects/repository-head.ts';
import type { CallContext } from '../define.ts';

const HEAD = 'HEAD';

interface Links {
  readonly branch?: string | undefined;
  readonly commit?: string | undefined;
}

/**
 * Returns the same links with the branch and the commit that are checked out where the client works in the place of `HEAD`.
 * @throws GatewayError if that cannot be told
 */
export async function withHead({ branch, commit }: Links, context: CallContext): Promise<Links> {
  if (branch !== HEAD && commit !== HEAD) return { branch, commit };
  const argument = branch === HEAD ? 'branch' : 'commit';
  const head = await headOf(argument, context);
  return {
    branch: branch === HEAD ? checkedOut(head) : branch,
    commit: commit === HEAD ? commitOf(head) : commit,
  };
}

async function headOf(argument: string, context: CallContext): Promise<RepositoryHead> {
  const folder = await context.folder();
  if (folder === undefined) throw noHead(argument, 'the folder of this client is not known');
  const head = await repositoryHead(folder, context.client.folderRule);
  context.signal.throwIfAborted();
  if (head === undefined) throw noHead(argument, 'the folder of this client is in no git repository');
  return head;
}

function checkedOut({ root, branch }: RepositoryHead): string {
  if (branch === undefined) throw noHead('branch', `no branch is checked out in ${root}`);
  return branch;
}

function commitOf({ root, commit }: RepositoryHead): string {
  if (commit === undefined) throw noHead('commit', `${root} has no commit yet, or git cannot be run`);
  if (!COMMIT_HASH.test(commit)) throw noHead('commit', `the hashes of ${root} are no SHA-1`);
  return commit;
}

function noHead(argument: string, why: string): GatewayError {
  const instead = argument === 'branch' ? 'the name of a branch' : 'the 40 hexadecimal digits of a commit';
  return new GatewayError('INVALID_PARAMS', `invalid arg: ${argument}: HEAD: ${why}. Pass ${instead}`, {
    effect: 'none',
  });
}
