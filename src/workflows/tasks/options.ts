import { z } from 'zod';

/** Options of the workflow in the config, `workflows.tasks`. */
export const tasksOptions = z
  .strictObject({
    redaction: z
      .enum(['on', 'off'])
      .default('on')
      .describe('Remove keys, tokens and passwords from the texts of tasks before they are stored'),
  })
  .prefault({});

export type TasksOptions = z.output<typeof tasksOptions>;
