import { z } from 'zod';
import { configKey } from '../../core/settings/config-key.ts';
import { processText, wholeNumber } from '../field-schemas.ts';

/** The name of a root, which is the first part of paths on every system. */
const rootName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}[A-Za-z0-9_-]$|^[A-Za-z0-9]$/, {
  error: 'at most 64 letters, digits, ".", "_" and "-", beginning with a letter or a digit and not ending with "."',
});

const folder = processText.min(1);

const undoSchema = z
  .strictObject({
    changes: configKey(wholeNumber(1, 100_000).default(1_000), {
      meaning: 'Number of changes of files that can be undone.',
    }),
    megabytes: configKey(wholeNumber(1, 100_000).default(256), {
      meaning: 'Maximum compressed size of the data that is kept for undo. The oldest data is removed first.',
    }),
    fileMegabytes: configKey(wholeNumber(1, 1_024).default(64), {
      meaning: 'Largest file that tools change, because its whole old content is kept. At most `megabytes`.',
    }),
  })
  .prefault({})
  .describe('Limits of the data that is kept to undo changes of files.');

/** The section `workspace`. */
export const workspaceSchema = z
  .strictObject({
    root: configKey(folder.optional(), {
      meaning:
        'Folder that the tools for files and processes work in and never leave. Without `root` and `roots`, it is the folder of each client.',
      more: 'Relative folders start at the folder of the file; `~/` is your home folder.',
      value: 'folder',
      byDefault: "the client's folder",
      takesVariables: true,
    }),
    roots: configKey(z.record(rootName, folder).optional(), {
      meaning: 'Several such folders instead. Paths begin with the name of one: `app/src/main.ts`.',
      more: 'Not together with `root`.',
      value: 'name → folder',
      byDefault: 'none',
      takesVariables: true,
    }),
    clientFolders: configKey(z.array(folder).default([]), {
      meaning:
        'Folders that clients over HTTP may name as their folder, with everything below them, in addition to `root` and `roots`: with roots, `X-Viaduct-Cwd` or `cwd`. They cannot name others.',
      value: 'list of folders',
      takesVariables: true,
    }),
    unprotected: configKey(z.array(processText.min(1).max(256)).default([]), {
      meaning:
        'Globs of paths in the workspace that tools may change although other programs run commands from them, such as `.vscode/*.json`.',
      more: 'See [WORKSPACE.md](WORKSPACE.md#what-tools-leave-alone).',
      value: 'list of globs',
    }),
    undo: undoSchema,
  })
  .prefault({})
  .describe('The folders that the tools of workflows work in.');
