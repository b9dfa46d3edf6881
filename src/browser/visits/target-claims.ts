/** The pages of users' browsers that this gateway's clients have. A page has one client at most. */
export class TargetClaims {
  readonly #owners = new Map<string, OwnClaims>();

  /** Returns the claims of one visit. */
  open(): OwnClaims {
    return new OwnClaims(this.#owners);
  }
}

/** The claims of one visit. */
export class OwnClaims {
  readonly #owners: Map<string, OwnClaims>;

  constructor(owners: Map<string, OwnClaims>) {
    this.#owners = owners;
  }

  /** Reserves a page. Returns false if another visit has it. */
  take(targetId: string): boolean {
    if (this.isTakenByOther(targetId)) return false;
    this.#owners.set(targetId, this);
    return true;
  }

  isTakenByOther(targetId: string): boolean {
    return (this.#owners.get(targetId) ?? this) !== this;
  }

  release(targetId: string): void {
    if (this.#owners.get(targetId) === this) this.#owners.delete(targetId);
  }

  releaseAll(): void {
    for (const targetId of this.#owners.keys()) this.release(targetId);
  }
}
