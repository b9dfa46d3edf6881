import { isDeepStrictEqual } from 'node:util';
import { isMapping } from '../../config/findings/finding.ts';
import { TRANSPORTS } from '../../upstream/transports/manifests/index.ts';
import type { TransportTable } from '../../upstream/transports/manifests/transport-table.ts';

/** Returns whether two entries run or reach the same server in the same way, regardless of their other members. */
export function isSameServer(one: unknown, other: unknown, transports: TransportTable = TRANSPORTS): boolean {
  if (!isMapping(one) || !isMapping(other)) return false;
  return isDeepStrictEqual(essence(one, transports), essence(other, transports));
}

function essence(entry: Readonly<Record<string, unknown>>, transports: TransportTable): unknown {
  const { command, args = [], env = {}, cwd, url, headers = {} } = entry;
  return {
    type: transports.forEntry(entry)?.type,
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
