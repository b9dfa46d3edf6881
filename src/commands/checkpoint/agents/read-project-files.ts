import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { INSTRUCTION_FILES, type ProjectFile } from '../../../workflows/checkpoint/adapters/extract/project-files.ts';

const MAX_BYTES = 256 * 1024;
const MAX_FILES = 200;

/** Returns the files of a project that are written for agents; those too large for that are left out. */
export async function readProjectFiles(folder: string): Promise<ProjectFile[]> {
  const steering = await markdownIn(folder, '.kiro/steering');
  const specs = await namesIn(path.join(folder, '.kiro/specs'));
  const specFiles = await Promise.all(specs.map((name) => markdownIn(folder, `.kiro/specs/${name}`)));
  const paths = [...INSTRUCTION_FILES, ...steering, ...specFiles.flat()].slice(0, MAX_FILES);
  const files = await Promise.all(paths.map((name) => readOne(folder, name)));
  return files.filter((file) => file !== undefined);
}

async function markdownIn(folder: string, place: string): Promise<string[]> {
  const names = await namesIn(path.join(folder, place));
  return names.filter((name) => name.endsWith('.md')).map((name) => `${place}/${name}`);
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).sort((a, b) => a.localeCompare(b, 'en'));
}

async function readOne(folder: string, name: string): Promise<ProjectFile | undefined> {
  const file = path.join(folder, name);
  try {
    const facts = await stat(file);
    if (!facts.isFile() || facts.size > MAX_BYTES) return undefined;
    return { path: name, text: await readFile(file, 'utf8') };
  } catch {
    return undefined;
  }
}
