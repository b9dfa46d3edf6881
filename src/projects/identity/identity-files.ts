import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { GatewayError } from '../../core/errors.ts';
import type { FolderRule } from '../../core/folders/folder-rule.ts';
import { checkedProjectId } from './project-id.ts';

const MAX_BYTES = 64 * 1024;
const NO_WAITING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** In the order in which they count within one folder. */
const FILES = [
  { name: '.viaduct.yaml', read: idInYaml },
  { name: '.ide-bridge.yaml', read: idInYaml },
  { name: path.join('.ide-bridge', 'project-id'), read: (text: string) => text.trim() },
];

export interface WrittenId {
  readonly projectId: string;
  readonly file: string;
}

/**
 * Looks for a file that names the project, in one folder after the other. An invalid file is an error: its author did
 * not mean a different project. With a rule, files outside the open folders are not read, even if a link in a
 * repository leads to them, because errors quote the contents of a file.
 */
export async function idFromFiles(folders: readonly string[], rule?: FolderRule): Promise<WrittenId | undefined> {
  for (const folder of folders) {
    for (const { name, read } of FILES) {
      const file = path.join(folder, name);
      if (rule !== undefined && (await rule.admit(file)) === undefined) continue;
      const text = await identityText(file);
      const id = text === undefined ? '' : read(text, file);
      if (id !== '') return { projectId: checkedProjectId(id, `project_id in ${file}`), file };
    }
  }
  return undefined;
}

/** `undefined` if there is no such file. */
async function identityText(file: string): Promise<string | undefined> {
  try {
    // Without waiting: in the place of a file there may be a pipe without a writer.
    const handle = await open(file, NO_WAITING);
    try {
      const facts = await handle.stat();
      if (!facts.isFile()) return undefined;
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_BYTES), 0, MAX_BYTES, 0);
      return buffer.toString('utf8', 0, bytesRead).replace(/^\uFEFF/, '');
    } finally {
      await handle.close();
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return undefined;
    throw new GatewayError('INVALID_PARAMS', `${file} cannot be read (${code}): pass project_id`, { cause: error });
  }
}

function idInYaml(text: string, file: string): string {
  const id = (yamlValue(text, file) as { project_id?: unknown } | null)?.project_id ?? '';
  if (typeof id === 'string') return id;
  throw new GatewayError('INVALID_PARAMS', `project_id in ${file} must be a string`);
}

function yamlValue(text: string, file: string): unknown {
  try {
    // With this schema `1.10` stays what was written.
    return parse(text, { schema: 'failsafe', uniqueKeys: false, logLevel: 'error' });
  } catch (error) {
    throw new GatewayError('INVALID_PARAMS', `${file} is not valid YAML: ${firstLine(error)}`, { cause: error });
  }
}

function firstLine(error: unknown): string {
  return String((error as Error).message).split('\n')[0]!;
}
