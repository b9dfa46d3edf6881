/** Lines in the log for the entries of one list, each time that it is read. */
const MAX_LINES = 10;

/**
 * Logs the first of the entries one by one, and how many others there are: a list may have thousands, and its server may have
 * it read again and again.
 */
export function logFirst<Item>(
  items: readonly Item[],
  logOne: (item: Item) => void,
  logRest: (count: number) => void,
): void {
  for (const item of items.slice(0, MAX_LINES)) logOne(item);
  if (items.length > MAX_LINES) logRest(items.length - MAX_LINES);
}
