import { admitted, type FolderRule } from '../../core/folders/folder-rule.ts';
import { findRepository, type Repository } from './find-repository.ts';

/**
 * Finds the repository that a folder lies in. A `.git` file may lead anywhere, and the top may be far above the folder: with a
 * rule, all of the repository must be in folders that are open.
 * @throws GatewayError if a part of it is not
 */
export async function openRepository(folder: string, rule: FolderRule | undefined): Promise<Repository | undefined> {
  const repository = await findRepository(folder);
  if (repository === undefined || rule === undefined) return repository;
  const { root, gitDir, commonDir, anchor } = repository;
  for (const place of new Set([root, anchor, gitDir, commonDir])) await admitted(place, rule);
  return repository;
}
