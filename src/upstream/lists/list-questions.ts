/** The questions for one list that are out: the first, which stays, and the newest. A question is a request, or several for pages. */
export class ListQuestions {
  #open: AbortController[] = [];
  #count = 0;
  #signAt = 0;

  /** The number of the newest question; the first has the number 1. */
  get count(): number {
    return this.#count;
  }

  /** The time at which the newest question was begun or brought a page last, on the clock of `performance.now()`. */
  get signAt(): number {
    return this.#signAt;
  }

  /** Begins a question. Others are given up, except the first: its answer may be late only. */
  begin(): AbortController {
    for (const question of this.#open.splice(1)) question.abort();
    const question = new AbortController();
    this.#open.push(question);
    this.#count++;
    this.#signAt = performance.now();
    return question;
  }

  /** Notes that a question brought a page. Returns whether it is the newest one that is out. */
  notePage(question: AbortController): boolean {
    if (question !== this.#open.at(-1)) return false;
    this.#signAt = performance.now();
    return true;
  }

  /** Takes out a question that is answered. Returns whether it was the newest one that is out. */
  end(question: AbortController): boolean {
    const isNewest = question === this.#open.at(-1);
    this.#open = this.#open.filter((one) => one !== question);
    return isNewest;
  }

  /** Gives up all questions that are out. */
  abort(): void {
    for (const question of this.#open.splice(0)) question.abort();
  }
}
