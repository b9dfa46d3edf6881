/** Remembers ids of folders as a store of checkpoints does, and what it was told. */
export function rememberedIdentities() {
  const known = new Map<string, string>();
  return {
    known,
    identityOf: (folderKey: string) => Promise.resolve(known.get(folderKey)),
    rememberIdentity: (folderKey: string, projectId: string) => {
      known.set(folderKey, projectId);
      return Promise.resolve();
    },
  };
}
