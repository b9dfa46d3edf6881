import type { StoredListing } from '../core/stores/listing-cache.ts';

/** The number of entries in one piece of text. */
const ENTRIES_AT_ONCE = 100;

/** Returns the JSON of a listing piece by piece, the first one after `head`. */
export function* listingParts(head: string, { readings, ...texts }: StoredListing): Generator<string> {
  yield* listParts(`${head}{`, texts);
  if (readings !== undefined) {
    const start = `${Object.keys(texts).length === 0 ? '' : ','}"readings":{"era":${JSON.stringify(readings.era)},"lists":{`;
    yield* listParts(start, readings.lists);
    yield '}}';
  }
  yield '}';
}

function* listParts(head: string, lists: Readonly<Record<string, readonly unknown[] | undefined>>): Generator<string> {
  let before = head;
  for (const [kind, list = []] of Object.entries(lists)) {
    before += `${JSON.stringify(kind)}:[`;
    for (let from = 0; from < list.length; from += ENTRIES_AT_ONCE) {
      yield before + JSON.stringify(list.slice(from, from + ENTRIES_AT_ONCE)).slice(1, -1);
      before = ',';
    }
    before = `${before === ',' ? '' : before}],`;
  }
  yield before.replace(/,$/, '');
}
