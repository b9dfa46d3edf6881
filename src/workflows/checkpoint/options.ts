import { z } from 'zod';
import { PROJECT_ID } from '../../core/projects/project-id.ts';

const redaction = z.enum(['on', 'off']);

/** Options of the workflow in the config, `workflows.checkpoint`. */
export const checkpointOptions = z
  .strictObject({
    debounceMs: z
      .int()
      .min(0)
      .max(3_600_000)
      .default(30_000)
      .describe('A save of the same IDE and project within this time is kept and written at its end, in milliseconds'),
    redaction: redaction
      .default('on')
      .describe('Remove keys, tokens and passwords from saved data before anything is stored'),
    git: z
      .enum(['off', 'state', 'diffs'])
      .default('state')
      .describe(
        "Data that is read from the project's repository if a save contains none: nothing, branch and files, or diffs too",
      ),
    history: z
      .strictObject({
        keep: z.int().min(1).max(1_000_000).default(200).describe('So many revisions of each project are kept'),
      })
      .prefault({}),
    projects: z
      .record(z.string().regex(PROJECT_ID), z.strictObject({ redaction: redaction.optional() }))
      .default({})
      .describe('Options of single projects, by their ids'),
  })
  .prefault({});

export type CheckpointOptions = z.output<typeof checkpointOptions>;
