import { type Finding, isMapping, valueAt } from '../findings/finding.ts';

/**
 * Checks how the keys of `workspace` go together, beyond the form of each value.
 * @param file the whole file, of any shape
 */
export function workspaceFindings(file: unknown): Finding[] {
  const workspace = valueAt(file, ['workspace']);
  if (!isMapping(workspace)) return [];
  return [...rootFindings(workspace), ...undoFindings(workspace)];
}

function rootFindings({ root, roots }: Readonly<Record<string, unknown>>): Finding[] {
  const path = ['workspace', 'roots'];
  if (roots === undefined) return [];
  if (root !== undefined)
    return [{ path, at: 'key', message: 'there is `root` already', hint: 'put it into `roots`, under a name' }];
  if (!isMapping(roots)) return [];
  const names = Object.keys(roots);
  if (names.length === 0) return [{ path, message: 'must not be empty', hint: 'roots: { app: ./app }' }];
  const first = new Map<string, string>();
  return names.flatMap((name) => {
    const same = first.get(name.toLowerCase());
    first.set(name.toLowerCase(), same ?? name);
    return same === undefined
      ? []
      : [{ path: [...path, name], at: 'key', message: `differs from "${same}" in case only` }];
  });
}

/** Returns the findings about `undo`: a file that is larger than everything that is kept could never be kept. */
function undoFindings({ undo }: Readonly<Record<string, unknown>>): Finding[] {
  if (!isMapping(undo)) return [];
  const { megabytes = 256, fileMegabytes = 64 } = undo;
  if (typeof megabytes !== 'number' || typeof fileMegabytes !== 'number' || fileMegabytes <= megabytes) return [];
  const key = 'fileMegabytes' in undo ? 'fileMegabytes' : 'megabytes';
  const message = `fileMegabytes (${fileMegabytes}) must not be more than megabytes (${megabytes})`;
  return [{ path: ['workspace', 'undo', key], message }];
}
