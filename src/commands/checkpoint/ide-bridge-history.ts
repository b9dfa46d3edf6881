import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseExactJson } from '../../core/json/exact-json.ts';

/** An earlier state of a bundle, as ide-bridge keeps it beside the newest one. */
export interface EarlierBundle {
  readonly file: string;
  /** Time of the save by the name of the file; `undefined` if the name has none. */
  readonly savedAt: string | undefined;
}

/**
 * Lists the earlier states that ide-bridge keeps in `history` beside a `bundle.json`, the oldest first.
 * @param most the number of states; if there are more, the newest are listed
 */
export async function earlierBundles(bundleFile: string, most: number): Promise<readonly EarlierBundle[]> {
  const folder = path.join(path.dirname(bundleFile), 'history');
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => name.endsWith('.json')).sort();
  const newest = files.slice(Math.max(0, files.length - most));
  return newest.map((name) => ({ file: path.join(folder, name), savedAt: timeInName(name) }));
}

/** Reads one of them; `undefined` if it is no JSON. */
export async function readEarlier({ file }: EarlierBundle): Promise<unknown> {
  try {
    return parseJsonFile(await readFile(file, 'utf8'));
  } catch {
    return undefined; // written halfway, or no file
  }
}

/** Parses the text of a JSON file, which editors on Windows begin with a byte order mark. @throws SyntaxError */
export function parseJsonFile(text: string): unknown {
  return parseExactJson(text.replace(/^\uFEFF/, ''));
}

/** Names begin as `2026-04-17T10-00-00-000Z_`: a time with dashes in it. */
function timeInName(name: string): string | undefined {
  const [, day, hour, minute, second, rest] = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z_/.exec(name) ?? [];
  return day === undefined ? undefined : `${day}T${hour}:${minute}:${second}.${rest}Z`;
}
