import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { MARKER } from './scene.ts';

/** The forms in which a secret travels. */
const FORMS: ReadonlyMap<string, string> = new Map([
  ['as it is', MARKER],
  ['the beginning of it', MARKER.slice(0, 8)],
  ['in JSON', JSON.stringify(MARKER).slice(1, -1)],
  ['URL-encoded', encodeURIComponent(MARKER)],
  ['base64', Buffer.from(MARKER).toString('base64').replace(/=+$/, '')],
  ['base64url', Buffer.from(MARKER).toString('base64url')],
]);

/**
 * Texts of a scene: the logs of its gateways, the output of commands, and the gateways' home. Output of fixtures is not
 * included.
 */
function writtenByGateway(folder: string): string[] {
  const own = readdirSync(folder).filter((name) => /^gateway-\d+\.(log|out)$/.test(name) || name === 'commands.out');
  return [...own.map((name) => path.join(folder, name)), ...filesIn(path.join(folder, 'home'))];
}

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}

export interface SearchResult {
  readonly files: number;
  readonly bytes: number;
  /** The place of the marker, and its form. */
  readonly finds: readonly string[];
}

/** Looks for the planted secret in everything that the gateways of these scenes wrote. */
export function searchForSecret(folders: readonly string[]): SearchResult {
  let files = 0;
  let bytes = 0;
  const finds: string[] = [];
  for (const file of folders.flatMap(writtenByGateway)) {
    files++;
    bytes += statSync(file).size;
    const text = readFileSync(file, 'utf8');
    for (const [form, secret] of FORMS) if (text.includes(secret)) finds.push(`${file} (${form})`);
  }
  return { files, bytes, finds };
}
