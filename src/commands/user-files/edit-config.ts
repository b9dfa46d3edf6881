import { digestOf } from '../../config/source/config-file.ts';
import { workingFolderOf } from '../../config/source/find.ts';
import type { Environment } from '../../core/settings/environment.ts';
import { homeFolder } from '../../gateway/settings/paths.ts';
import { addTrust, trustOf } from '../../gateway/trust/trust-file.ts';
import { type EditOutcome, editFile } from './edit-file.ts';

/**
 * Changes a config at the user's command, as `editFile` does; a new file can be read by this user alone. A config in a
 * working folder that was trusted before stays trusted, and one that did not exist is trusted from now on.
 * @throws what `edit` throws, or the system's error
 */
export async function editConfig(
  file: string,
  env: Environment,
  edit: (text: string | undefined) => string,
): Promise<EditOutcome> {
  let before: string | undefined;
  let after = '';
  const outcome = await editFile(
    file,
    (text) => {
      before = text;
      after = edit(text);
      return after;
    },
    0o600,
  );
  if (outcome === 'written') await keepTrust(file, { home: homeFolder(env), before, after });
  return outcome;
}

/** Trusts a config that the user has just created, if it is in a place where only trusted configs are used. */
export async function trustNew(file: string, text: string, env: Environment): Promise<void> {
  if (workingFolderOf(file) !== undefined) await addTrust(homeFolder(env), { path: file, sha256: digestOf(text) });
}

interface Edit {
  readonly home: string;
  readonly before: string | undefined;
  readonly after: string;
}

async function keepTrust(file: string, { home, before, after }: Edit): Promise<void> {
  if (workingFolderOf(file) === undefined) return;
  const wasTrusted =
    before === undefined || (await trustOf(home, { path: file, sha256: digestOf(before) })) === 'trusted';
  if (wasTrusted) await addTrust(home, { path: file, sha256: digestOf(after) });
}
