import type { IndexProgress } from '../knowledge.ts';

/** The shortest interval between reports of progress. */
const EVERY_MS = 250;
/** The period over which the rate is computed. */
const RATE_MS = 5_000;

/** Counts what a run has done, and tells it now and then. */
export class ProgressMeter {
  readonly #tell: (progress: IndexProgress) => void;
  #progress: IndexProgress = {
    filesDone: 0,
    filesFound: 0,
    isCounted: false,
    chunksCreated: 0,
    filesPerSecond: 0,
    phase: 'reading',
  };
  #toldAt = 0;
  #marks: { readonly at: number; readonly done: number }[] = [{ at: performance.now(), done: 0 }];

  constructor(tell: (progress: IndexProgress) => void) {
    this.#tell = tell;
  }

  found(files: number): void {
    this.#change({ filesFound: files });
  }

  /** All files are found, and these of them are done. */
  counted(filesFound: number, filesDone: number): void {
    this.#change({ filesFound, filesDone, isCounted: true });
  }

  /** One more file is done. */
  done(chunksCreated: number): void {
    this.#change({ filesDone: this.#progress.filesDone + 1, chunksCreated });
  }

  embedding(): void {
    this.#change({ phase: 'embedding' });
  }

  #change(change: Partial<IndexProgress>): void {
    this.#progress = { ...this.#progress, ...change };
    const now = performance.now();
    if (now - this.#toldAt < EVERY_MS) return;
    this.#toldAt = now;
    this.#tell({ ...this.#progress, filesPerSecond: this.#rate(now) });
  }

  #rate(now: number): number {
    this.#marks.push({ at: now, done: this.#progress.filesDone });
    while (this.#marks.length > 2 && now - this.#marks[0]!.at > RATE_MS) this.#marks.shift();
    const [first] = this.#marks;
    const seconds = (now - first!.at) / 1_000;
    return seconds === 0 ? 0 : Math.round((this.#progress.filesDone - first!.done) / seconds);
  }
}
