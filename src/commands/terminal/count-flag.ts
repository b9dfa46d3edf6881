import { InvalidArgumentError } from 'commander';

/** Returns a parser of a flag that is a whole number from 1 to `most`. It throws InvalidArgumentError for any other text. */
export function countUpTo(most: number): (text: string) => number {
  return (text) => {
    const count = Number(text);
    if (!/^[1-9][0-9]{0,2}$/.test(text) || count > most)
      throw new InvalidArgumentError(`It must be a whole number from 1 to ${most}.`);
    return count;
  };
}
