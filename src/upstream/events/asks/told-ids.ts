const MAX_SESSIONS = 2_000;
const MAX_IDS = 256;

interface Told {
  readonly upstream: string;
  readonly ownId: string;
}

/**
 * The ids of elicitations as each client was told them, by any upstream. An id stays as its upstream wrote it, unless
 * the client knows the same one from another upstream.
 */
export class ToldIds {
  readonly #bySession = new Map<string, Map<string, Told>>();

  /** Returns the id under which the client knows, from now on, the elicitation that the upstream calls `ownId`. */
  tell(sessionId: string, told: Told): string {
    const ids = this.#idsOf(sessionId);
    const publicId = freeId(ids, told);
    ids.delete(publicId);
    ids.set(publicId, told);
    if (ids.size > MAX_IDS) ids.delete(ids.keys().next().value!);
    return publicId;
  }

  forget(sessionId: string): void {
    this.#bySession.delete(sessionId);
  }

  #idsOf(sessionId: string): Map<string, Told> {
    const ids = this.#bySession.get(sessionId) ?? new Map<string, Told>();
    this.#bySession.delete(sessionId);
    this.#bySession.set(sessionId, ids);
    if (this.#bySession.size > MAX_SESSIONS) this.#bySession.delete(this.#bySession.keys().next().value!);
    return ids;
  }
}

function freeId(ids: ReadonlyMap<string, Told>, told: Told): string {
  let id = told.ownId;
  for (let tries = 1; !isFreeFor(ids.get(id), told); tries++)
    id = tries === 1 ? `${told.upstream}/${told.ownId}` : `${told.upstream}/${tries}/${told.ownId}`;
  return id;
}

function isFreeFor(known: Told | undefined, { upstream, ownId }: Told): boolean {
  return known === undefined || (known.upstream === upstream && known.ownId === ownId);
}
