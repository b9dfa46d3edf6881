/** The ids of tabs for one client, such as `t1`: given in order, and never to another tab. */
export class TabIds {
  readonly #targets: string[] = [];

  /** Returns the id of a tab, and gives it one if it has none. */
  idOf(targetId: string): string {
    return `t${this.numberOf(targetId)}`;
  }

  /** Returns the number in the id of a tab, and gives it one if it has none. */
  numberOf(targetId: string): number {
    if (!this.#targets.includes(targetId)) this.#targets.push(targetId);
    return this.#targets.indexOf(targetId) + 1;
  }
}
