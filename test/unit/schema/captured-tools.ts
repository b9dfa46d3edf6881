import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const repository = resolve(import.meta.dirname, '../../..');
const shared = resolve(repository, process.env.VIADUCT_SHARED ?? '../shared');

export interface CapturedTool {
  readonly name: string;
  readonly inputSchema: unknown;
  readonly outputSchema?: unknown;
}

/** Where captures of real servers are, outside of the repository. */
export const captureFolders: readonly string[] = ['corpus', 'data/xcode', 'data/lists']
  .map((folder) => join(shared, folder))
  .filter((folder) => existsSync(folder));

/** Every tool in the captures, wherever in a file it stands. */
export function capturedTools(): readonly CapturedTool[] {
  return captureFolders.flatMap(jsonFiles).flatMap((file) => toolsIn(JSON.parse(readFileSync(file, 'utf8'))));
}

function jsonFiles(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(folder, name));
}

function toolsIn(value: unknown): readonly CapturedTool[] {
  if (typeof value !== 'object' || value === null) return [];
  if (isTool(value)) return [value];
  return Object.values(value).flatMap(toolsIn);
}

function isTool(value: object): value is CapturedTool {
  return 'name' in value && typeof value.name === 'string' && 'inputSchema' in value;
}
