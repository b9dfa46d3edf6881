/** Actions that undo something when its owner closes. */
export class AtClose {
  readonly #actions: (() => void)[] = [];
  #hasRun = false;

  /** Adds an action. It runs at once if the owner has closed meanwhile: a browser may answer that late. */
  add(action: () => void): void {
    if (this.#hasRun) action();
    else this.#actions.push(action);
  }

  /** Runs the actions, each of them once. */
  run(): void {
    this.#hasRun = true;
    for (const action of this.#actions.splice(0)) action();
  }
}
