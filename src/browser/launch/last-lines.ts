const KEPT_CHARACTERS = 2_000;

/** Keeps the end of what a program writes. */
export class LastLines {
  #text = '';

  add(bytes: Buffer): void {
    this.#text = (this.#text + bytes.toString('utf8')).slice(-KEPT_CHARACTERS);
  }

  get text(): string {
    return this.#text.trim();
  }
}
