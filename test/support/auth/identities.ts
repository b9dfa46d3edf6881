/**
 * Remembers ids of folders as a store of checkpoints does, and what it was told.
 * @param saved ids of the projects that have checkpoints
 * @param remotes the remotes with which projects were saved, by their ids
 */
export function rememberedIdentities(saved: readonly string[] = [], remotes: Readonly<Record<string, string>> = {}) {
  const known = new Map<string, string>();
  return {
    known,
    identityOf: (folderKey: string) => Promise.resolve(known.get(folderKey)),
    rememberIdentity: (folderKey: string, projectId: string) => {
      known.set(folderKey, projectId);
      return Promise.resolve();
    },
    load: (projectId: string) =>
      Promise.resolve(
        saved.includes(projectId)
          ? { projectId, revision: 1, bundle: { git: { remote: remotes[projectId] } }, updatedAt: '', sourceIde: '' }
          : undefined,
      ),
    history: (projectId: string) =>
      Promise.resolve(saved.includes(projectId) ? [{ revision: 1, updatedAt: '', sourceIde: '', kind: 'import' }] : []),
  };
}
