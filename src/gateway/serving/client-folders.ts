import type { Config } from '../../config/schema.ts';
import { type FolderRule, openFolders } from '../../core/folders/folder-rule.ts';
import type { Log } from '../../telemetry/log.ts';

/** Folders of which the log has a line; a client that tries many fills no log. */
const MAX_LOGGED = 100;

/** Returns the folders that clients may name that come over HTTP or TCP. */
export function openToClients({ roots, clientFolders }: Config['workspace']): readonly string[] {
  return [...roots.map(({ folder }) => folder), ...clientFolders];
}

/** Returns the rule for clients that come over HTTP or TCP: the folders of the workspace, and those that the config adds to them. */
export function clientFolderRule(workspace: () => Config['workspace'], log: Log): FolderRule {
  const logged = new Set<string>();
  return openFolders({
    folders: () => openToClients(workspace()),
    onRefused(folder) {
      if (logged.has(folder) || logged.size >= MAX_LOGGED) return;
      logged.add(folder);
      log.warn(
        { event: 'folder-refused', folder },
        'a client that came over HTTP or TCP named a folder that is not open to it: workspace.clientFolders opens more',
      );
    },
  });
}
