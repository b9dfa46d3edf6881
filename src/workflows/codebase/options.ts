import { z } from 'zod';
import { embeddingsOptions } from '../../core/settings/embeddings-options.ts';

const MAX_FILE_MEGABYTES = 64;
const MAX_GLOBS = 1_000;

/** Options of the workflow in the config, `workflows.codebase`. */
export const codebaseOptions = z
  .strictObject({
    embeddings: embeddingsOptions
      .optional()
      .describe('Service for search by meaning; without it, code is found by words and symbols'),
    fileMegabytes: z
      .number()
      .positive()
      .max(MAX_FILE_MEGABYTES)
      .default(1)
      .describe('Larger files are not indexed (MiB)'),
    ignore: z
      .array(z.string().min(1).max(1_000))
      .max(MAX_GLOBS)
      .default([])
      .describe('Patterns of more files not to index, in .gitignore syntax, relative to each repository'),
  })
  .prefault({});

export type CodebaseOptions = z.output<typeof codebaseOptions>;
