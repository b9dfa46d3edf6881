/** Values for the names in braces. */
export type Replacements = Readonly<Record<string, string | undefined>>;

const BRACES = /\{([A-Za-z]+)\}/g;

/**
 * Returns arguments with values in the place of `{name}`. Each argument stays one argument, regardless of the value,
 * and names in braces within a value stay as they are.
 */
export function filledArguments(args: readonly string[], values: Replacements): string[] {
  return args.map((text) => text.replace(BRACES, (whole, name: string) => values[name] ?? whole));
}
