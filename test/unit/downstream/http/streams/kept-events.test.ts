import { expect, test } from 'vitest';
import { type Keeper, KeptEvents } from '../../../../../src/downstream/http/streams/kept-events.ts';

const MIB = 1024 * 1024;

class FakeStream implements Keeper {
  keptBytes = 0;
  readonly #kept: KeptEvents;

  constructor(kept: KeptEvents) {
    this.#kept = kept;
  }

  keep(bytes: number): this {
    this.keptBytes += bytes;
    this.#kept.onKept(this);
    return this;
  }

  forget(): void {
    this.keptBytes = 0;
    this.#kept.remove(this);
  }
}

function streams(...sizes: number[]): FakeStream[] {
  const kept = new KeptEvents();
  return sizes.map((mib) => new FakeStream(kept).keep(mib * MIB));
}

const sizes = (all: readonly FakeStream[]) => all.map(({ keptBytes }) => keptBytes / MIB);

test('all streams together keep at most 32 MiB: the oldest forget first', () => {
  expect(sizes(streams(10, 10, 10, 10))).toEqual([0, 10, 10, 10]);
  expect(sizes(streams(4, 4, 20, 20))).toEqual([0, 0, 0, 20]);
});

test('the newest event is kept however large it is', () => {
  expect(sizes(streams(8, 100))).toEqual([0, 100]);
});

test('a stream that was used again is not the oldest, and what was dropped is not counted', () => {
  const [first, second, third] = streams(8, 8, 8) as [FakeStream, FakeStream, FakeStream];
  first.keep(8 * MIB);
  expect(sizes([first, second, third])).toEqual([16, 8, 8]);
  third.keep(4 * MIB);
  expect(sizes([first, second, third])).toEqual([16, 0, 12]);
  first.forget();
  second.keep(20 * MIB);
  expect(sizes([first, second, third])).toEqual([0, 20, 12]);
});
