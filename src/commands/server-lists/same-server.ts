import { isDeepStrictEqual } from 'node:util';
import { isMapping } from '../../config/findings/finding.ts';
import { typeOfEntry } from '../../config/upstreams/entry-types.ts';

/** Returns whether two entries start or reach the same server in the same way, whatever their other members. */
export function isSameServer(one: unknown, other: unknown): boolean {
  if (!isMapping(one) || !isMapping(other)) return false;
  return isDeepStrictEqual(essence(one), essence(other));
}

function essence(entry: Readonly<Record<string, unknown>>): unknown {
  const { command, args = [], env = {}, cwd, url, headers = {} } = entry;
  return {
    type: typeOfEntry(entry),
    command,
    args: asTexts(args),
    env: asTexts(env),
    cwd,
    url,
    headers: asTexts(headers),
  };
}

/** Returns a value with texts for numbers and booleans, as variables and arguments mean them. */
function asTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(String);
  return isMapping(value) ? new Map(Object.entries(value).map(([key, text]) => [key, String(text)])) : value;
}
