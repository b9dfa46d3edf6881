import { Duplex } from 'node:stream';

/** Two ends of a connection inside this process: what is written to one is read from the other. */
export function duplexPair(): [Duplex, Duplex] {
  const ends: [Duplex?, Duplex?] = [];
  const make = (other: 0 | 1): Duplex =>
    new Duplex({
      read() {},
      write(chunk, _encoding, done) {
        ends[other]?.push(chunk);
        done();
      },
      final(done) {
        ends[other]?.push(null);
        done();
      },
    });
  const first = make(1);
  const second = make(0);
  ends.push(first, second);
  return [first, second];
}
