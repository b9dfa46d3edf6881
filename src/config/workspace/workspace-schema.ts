import { z } from 'zod';
import { processText, wholeNumber } from '../field-schemas.ts';

/** The name is the first part of paths, on every system. */
const rootName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}[A-Za-z0-9_-]$|^[A-Za-z0-9]$/, {
  error: 'at most 64 letters, digits, ".", "_" and "-", beginning with a letter or a digit and not ending with "."',
});

const folder = processText.min(1);

const undoSchema = z
  .strictObject({
    changes: wholeNumber(1, 100_000).default(1_000).describe('So many changes of files can be undone.'),
    megabytes: wholeNumber(1, 100_000)
      .default(256)
      .describe('How much may be kept for that, packed; the oldest goes first.'),
    fileMegabytes: wholeNumber(1, 1_024)
      .default(64)
      .describe('Largest file that tools change: what was in it is kept as a whole.'),
  })
  .prefault({})
  .describe('What is kept so that changes of files can be undone.');

export const workspaceSchema = z
  .strictObject({
    root: folder
      .optional()
      .describe(
        'Folder that the tools for files and processes work in and never leave. Without it, and without `roots`: the folder of each client.',
      ),
    roots: z
      .record(rootName, folder)
      .optional()
      .describe('Several such folders instead, each under the name with which paths into it begin.'),
    clientFolders: z
      .array(folder)
      .default([])
      .describe(
        'Folders that clients that come over HTTP may name as the place that they work in, with all below them: by roots, `X-Viaduct-Cwd`, `cwd`. Those of `root` and `roots` always may be named, others never.',
      ),
    unprotected: z
      .array(processText.min(1).max(256))
      .default([])
      .describe(
        'Globs of paths in the workspace that tools may change although other programs run commands from them, such as `.vscode/*.json`.',
      ),
    undo: undoSchema,
  })
  .prefault({})
  .describe('The folders that the tools of workflows work in.');
