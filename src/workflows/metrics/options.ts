import path from 'node:path';
import { z } from 'zod';

const isFolder = (text: string): boolean => text === '~' || text.startsWith('~/') || path.isAbsolute(text);

/** Options of the workflow in the config, `workflows.metrics`. */
export const metricsOptions = z
  .strictObject({
    jsonl: z
      .string()
      .refine(isFolder, { error: 'must be an absolute folder, or one that begins with ~/' })
      .optional()
      .describe('Folder in which each recorded event is also written to a file of its day, as go-ai does'),
    keepDays: z
      .int()
      .min(1)
      .max(10_000)
      .optional()
      .describe('So many days events stay in the database; all of them without it'),
  })
  .prefault({});

export type MetricsOptions = z.output<typeof metricsOptions>;
