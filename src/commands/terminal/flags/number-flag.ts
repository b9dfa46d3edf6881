import { InvalidArgumentError } from 'commander';

/**
 * Returns a parser of an argument or option that must be a whole number from `least` to `most`.
 * The parser throws InvalidArgumentError for any other text.
 */
export function wholeNumber(least: number, most?: number): (text: string) => number {
  const range = most === undefined ? `of at least ${least}` : `from ${least} to ${most}`;
  return (text) => {
    const value = Number(text);
    if (!/^[0-9]{1,15}$/.test(text) || value < least || value > (most ?? Number.MAX_SAFE_INTEGER))
      throw new InvalidArgumentError(`It must be a whole number ${range}.`);
    return value;
  };
}
