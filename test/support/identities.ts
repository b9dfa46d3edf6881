/**
 * Remembers ids of folders as a store of checkpoints does, and what it was told.
 * @param saved ids of the projects that have checkpoints
 */
export function rememberedIdentities(saved: readonly string[] = []) {
  const known = new Map<string, string>();
  return {
    known,
    identityOf: (folderKey: string) => Promise.resolve(known.get(folderKey)),
    rememberIdentity: (folderKey: string, projectId: string) => {
      known.set(folderKey, projectId);
      return Promise.resolve();
    },
    history: (projectId: string) =>
      Promise.resolve(saved.includes(projectId) ? [{ revision: 1, updatedAt: '', sourceIde: '', kind: 'import' }] : []),
  };
}
